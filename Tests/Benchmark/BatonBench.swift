import ArgumentParser
import Baton
import ProviderTesting
import TerminalTesting

/// Each group of figures is a command of its own.
@main struct BatonBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baton-bench",
        abstract: "Measures what signing in and out costs, beside a server in C that does the least.",
        discussion: """
            Without a command it measures everything, which takes some minutes. The figures that a target stands beside are \
            asked for; machines are noisy, so ratios count and times do not. Build for release, as `make bench` does. What \
            needs browsers is left out for root: Tests/as-ordinary-user.
            """,
        subcommands: [All.self, Floor.self, Memory.self, Hostile.self, Browser.self, Day.self, Tokens.self],
        defaultSubcommand: All.self)

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "All of it, one after the other.")

        @Argument(help: "How many of each.")
        var rounds: Count = 1000

        func run() async throws {
            try await FloorTimes(scale: 1).run()
            try await LocalMemory(rounds: rounds.number).run()
            try await MemoryRounds(rounds: rounds.number).run()
            try await SignOutTimes(rounds: max(5, min(30, rounds.number / 20))).run()
            try await HostileTimes(rounds: 20).run()
            try await TokenTimes(requests: 100_000).run()
            var times = BrowserTimes(rounds: 15)
            try await times.run()
            var day = DayTimes(rounds: 10)
            try await day.run()
        }
    }

    struct Floor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Calls and signals, beside the same in C.")

        @Argument(help: "So many times as often as usual.")
        var scale = 1.0

        func validate() throws {
            guard scale > 0, scale <= 1000 else { throw ValidationError("SCALE lies between 0 and 1000") }
        }

        func run() async throws { try await FloorTimes(scale: scale).run() }
    }

    struct Memory: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "What batond and its libraries keep over many turns.")

        @Argument(help: "How many of each.")
        var rounds: Count = 1000

        func run() async throws {
            try await LocalMemory(rounds: rounds.number).run()
            try await MemoryRounds(rounds: rounds.number).run()
        }
    }

    struct Hostile: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Honest apps' sign-out beside a process that means ill.")

        @Argument(help: "How many of each.")
        var rounds: Count = 20

        @Argument(help: "The attacks that are tried (default: all, which Tests/FireTests/hostile.py kinds lists).")
        var kinds: [String] = []

        func run() async throws { try await HostileTimes(rounds: rounds.number, only: kinds).run() }
    }

    struct Browser: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "What a managed browser adds to a turn.")

        @Argument(help: "How many of each.")
        var rounds: Count = 15

        func run() async throws {
            var times = BrowserTimes(rounds: rounds.number)
            try await times.run()
        }
    }

    struct Day: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The page, idle time, the lock, and how often the agent wakes up.")

        @Argument(help: "How many of each.")
        var rounds: Count = 10

        func run() async throws {
            var times = DayTimes(rounds: rounds.number)
            try await times.run()
        }
    }

    struct Tokens: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Access tokens, fresh, cached and refused.")

        @Argument(help: "How many are asked for.")
        var requests: Count = 100_000

        func run() async throws { try await TokenTimes(requests: requests.number).run() }
    }

    /// How often something is done: 1 to 10 million.
    struct Count: ExpressibleByArgument, ExpressibleByIntegerLiteral {
        let number: Int

        init(integerLiteral number: Int) { self.number = number }

        init?(argument: String) {
            guard let number = Int(argument), (1...10_000_000).contains(number) else { return nil }
            self.number = number
        }

        var defaultValueDescription: String { "\(number)" }
    }
}
