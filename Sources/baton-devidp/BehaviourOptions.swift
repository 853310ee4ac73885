import ArgumentParser
import DevelopmentProvider
import Logging

struct BehaviourOptions: ParsableArguments {
    @Option(
        name: .customLong("misbehave"),
        help: ArgumentHelp(
            "Misbehave so, everywhere or as name@endpoint at one endpoint; may be repeated.", valueName: "name"))
    var misbehaviours: [String] = []

    @Flag(help: "Print every misbehaviour with a sentence and exit.")
    var listMisbehaviours = false

    @Option(help: ArgumentHelp("How long 'slow' and 'late-token' wait.", valueName: "seconds"))
    var delay = 5.0

    @Option(
        help: ArgumentHelp(
            "Codes, access tokens and refresh tokens begin with this and their kind, such as x-access-.",
            valueName: "text"))
    var tokenMark = ""

    @Option(help: ArgumentHelp("How long access tokens live.", valueName: "seconds"))
    var accessTokenLifetime = 3600

    @Option(help: ArgumentHelp("How long ID tokens live.", valueName: "seconds"))
    var idTokenLifetime = 3600

    @Option(help: ArgumentHelp("How long refresh tokens live.", valueName: "seconds"))
    var refreshTokenLifetime = 86_400

    @Option(help: ArgumentHelp("How long a browser stays signed in.", valueName: "seconds"))
    var sessionLifetime = 43_200

    @Option(help: ArgumentHelp("How long device codes live.", valueName: "seconds"))
    var deviceCodeLifetime = 900

    @Option(help: ArgumentHelp("How often a device may ask.", valueName: "seconds"))
    var deviceInterval = 5

    @Option(
        help: "trace, debug, info, notice, warning, error or critical.",
        completion: .list(Logger.Level.allCases.map(\.rawValue)),
        transform: {
            guard let level = Logger.Level(rawValue: $0) else { throw ValidationError("There is no level '\($0)'.") }
            return level
        })
    var logLevel: Logger.Level = .warning

    func validate() throws {
        guard (0...3600).contains(delay) else { throw ValidationError("A delay is between 0 and 3600 seconds.") }
        guard tokenMark.utf8.count <= 4096, tokenMark.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw ValidationError("A token mark has letters and digits, at most 4096.")
        }
        do throws(Misconduct.Fault) {
            var misconduct = Misconduct()
            for name in misbehaviours { try misconduct.set(name) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func apply(to options: inout ProviderOptions) throws {
        for name in misbehaviours { try options.misconduct.set(name) }
        options.delay = .milliseconds(Int64(delay * 1000))
        options.tokenMark = tokenMark
        options.accessTokenLifetime = accessTokenLifetime
        options.idTokenLifetime = idTokenLifetime
        options.refreshTokenLifetime = refreshTokenLifetime
        options.sessionLifetime = sessionLifetime
        options.deviceCodeLifetime = deviceCodeLifetime
        options.deviceInterval = deviceInterval
    }

    func printMisbehaviours() {
        let width = Misbehaviour.allCases.map(\.rawValue.count).max() ?? 0
        for misbehaviour in Misbehaviour.allCases {
            let name = misbehaviour.rawValue
            print(name + String(repeating: " ", count: width - name.count + 2) + misbehaviour.explanation)
        }
    }
}
