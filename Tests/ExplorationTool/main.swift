import Exploration
import Glibc

await Tool(CommandLine.arguments.dropFirst()).run()

/// Explores the state machine, or shows that seeded mistakes are found.
struct Tool {
    private var configuration = Configuration()
    private var isSeeded = false
    private var isLarge = false
    private var isStandard = true

    init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let option = rest.popFirst() {
            if option == "--seeded" {
                isSeeded = true
                continue
            }
            if option == "--large" {
                isLarge = true
                continue
            }
            guard let value = rest.popFirst().flatMap(Double.init), value >= 0, value < 1000 else { Self.usage() }
            isStandard = isStandard && option == "--limit-minutes"
            switch option {
            case "--participants": configuration.participants = Int(value)
            case "--epochs": configuration.epochs = Int(value)
            case "--crashes": configuration.crashes = Int(value)
            case "--faults": configuration.faults = Int(value)
            case "--restarts": configuration.restarts = Int(value)
            case "--plain": configuration.onlyPlainFaults = value > 0
            case "--pages": configuration.pages = value > 0
            case "--forgets": configuration.forgets = value > 0
            case "--reboots": configuration.reboots = value > 0
            case "--turn-users": configuration.turnUsers = value > 0
            case "--locks": configuration.locks = value > 0
            case "--away": configuration.away = value > 0
            case "--late-choices": configuration.lateChoices = value > 0
            case "--limit-minutes": configuration.limitMinutes = value
            default: Self.usage()
            }
        }
        guard (0...4).contains(configuration.participants), (1...6).contains(configuration.epochs) else { Self.usage() }
    }

    static func usage() -> Never {
        print(
            """
            usage: baton-explore [--large] [--limit-minutes M]
                   baton-explore --participants N --epochs N --crashes N --faults N [--restarts N] [--plain 1]
                                 [--pages 1] [--reboots 1] [--forgets 1] [--turn-users 1]
                                 [--late-choices 1] [--locks 1] [--away 1] [--limit-minutes M]
                   baton-explore --seeded
            Without sizes: the standard explorations of the day; the limit is for each of them.
            """)
        exit(64)
    }

    func run() async -> Never {
        if isSeeded { exit(await seeded() ? 0 : 1) }
        guard isStandard else { exit(await explore(configuration) == nil ? 1 : 0) }
        let configurations = isLarge ? Configuration.standard(on: nil) + Configuration.large : today
        var states = 0
        for var configuration in configurations {
            configuration.limitMinutes = self.configuration.limitMinutes
            guard let seen = await explore(configuration) else { exit(1) }
            states += seen
        }
        guard states >= 500_000 || self.configuration.limitMinutes > 0 else {
            print("fewer than 500,000 states: it is not looking")
            exit(1)
        }
        print("Every invariant holds in every state that was seen.")
        exit(0)
    }

    /// `BATON_DAY` has it go as on another day.
    private var today: [Configuration] {
        let given = getenv("BATON_DAY").flatMap { Int(String(cString: $0)) }
        let day = given ?? time(nil) / 86400
        print("Of the six largest worlds and of the three with turns' users that of the day, BATON_DAY=\(day).")
        print("All are explored with --large.")
        return Configuration.standard(on: day)
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How many states were seen; nil: something is wrong.
    private func explore(_ configuration: Configuration) async -> Int? {
        defer { fflush(nil) }
        let start = Self.seconds()
        print(
            "\(configuration.participants) participants, \(configuration.epochs) epochs,",
            "\(configuration.crashes) crashes, \(configuration.faults) faults a path:")
        let result = await Explorer(configuration).run { states in
            let spent = Self.seconds() - start
            if getenv("BATON_EXPLORE_PROGRESS") != nil {
                print("  \(states) states, \(Int(spent)) s, \(Self.peakMemory())")
                fflush(nil)
            }
            return configuration.limitMinutes == 0 || spent < configuration.limitMinutes * 60
        }
        let spent = Double(Int((Self.seconds() - start) * 10)) / 10
        print(
            "  \(result.states) states, \(result.transitions) transitions,",
            "\(spent) s, peak memory \(Self.peakMemory())")
        if let violation = result.violation {
            print("  violated: \(violation)")
            for line in result.path { print("    \(line)") }
            return nil
        }
        if !result.isComplete { print("  stopped at the time limit; nothing was violated so far") }
        return result.states
    }

    private func seeded() async -> Bool {
        var missed = 0
        for fault in Fault.allCases {
            let result = await Explorer.find(fault)
            if let violation = result.violation {
                print("found after \(result.states) states: \(fault.rawValue)\n  \(violation)")
            } else {
                missed += 1
                print("MISSED after \(result.states) states: \(fault.rawValue)")
            }
        }
        print(missed == 0 ? "All \(Fault.allCases.count) seeded mistakes were found." : "\(missed) were missed.")
        return missed == 0
    }

    /// The most that this process ever held in memory, as the kernel says.
    private static func peakMemory() -> String {
        guard let file = fopen("/proc/self/status", "r") else { return "unknown" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("VmHWM:") {
                return "\((Int(text.filter(\.isNumber)) ?? 0) / 1024) MiB"
            }
        }
        return "unknown"
    }
}
