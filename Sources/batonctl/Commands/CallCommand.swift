import ArgumentParser
import Baton
import Identity
import SystemPackage

struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: Text.Help.call,
        discussion: Text.Help.callDiscussion + "\n\n"
            + Text.Help.example(
                "batonctl call https://graph.microsoft.com/v1.0/me --scope User.Read",
                "batonctl call http://127.0.0.1:8090/me --json"))

    @Argument(help: ArgumentHelp(Text.Help.callURL, valueName: "url"))
    var url: String

    @OptionGroup var options: TokenOptions

    @Option(
        name: .customLong("ca-file"), help: ArgumentHelp(Text.Help.caFile, valueName: Text.Help.file),
        completion: .file())
    var caFile: String?

    @Option(help: ArgumentHelp(Text.Help.callTimeout, valueName: "seconds"))
    var timeout: UInt16 = 30

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard CallOrigin(url) != nil else { throw ValidationError(Text.CommandLine.callForm) }
        guard (1...600).contains(timeout) else { throw ValidationError(Text.Help.callTimeout) }
    }

    func run() async throws {
        try await reporting {
            guard let origin = CallOrigin(url) else { return }
            let device = try await bus.device()
            // Before a token is asked for, which nothing could be done with.
            try origin.check(listed: try await CommandLineTokens.origins(of: device))
            let http = try HTTPSExchange(requestTimeout: .seconds(Int(timeout)), caFile: caFile, proxy: nil)
            let call = BearerCall(url: url, http: http) { Terminal.complain(Text.CommandLine.tokenDropped($0.text)) }
            let options = options
            let answer = try await interruptibly {
                try await CommandLineTokens.participating(on: device, as: CommandLineTokens.callApp) {
                    try await call.send(try await options.acquire(on: device))
                }
            }
            await http.shutdown()
            let status = ExitStatus.of(httpStatus: answer.status)
            if output.json {
                Terminal.say(try JSONOutput.document(CallReport(answer)))
            } else {
                Self.show(answer.body)
                if status != 0 { Terminal.complain(Text.CommandLine.status(answer.status)) }
            }
            if status != 0 { throw ExitCode(status) }
        }
    }

    /// As it is for a program; on a terminal nothing of it may steer that.
    private static func show(_ body: [UInt8]) {
        guard Terminal.isInteractive else {
            _ = try? FileDescriptor.standardOutput.writeAll(body)
            return
        }
        let lines = String(decoding: body, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        Terminal.say(lines.map { String($0).printable }.joined(separator: "\n"))
    }
}

/// The JSON of `call`.
struct CallReport: Encodable {
    var status: Int
    var contentType: String
    /// What is no text has none.
    var body: String?

    enum CodingKeys: String, CodingKey {
        case status, body
        case contentType = "content-type"
    }

    init(_ answer: HTTPResponse) {
        status = answer.status
        contentType = answer.header("content-type") ?? ""
        body = String(validating: answer.body, as: UTF8.self)
    }

    func encode(to encoder: any Encoder) throws {
        // Written out, so that a key is there also when it has no value.
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(contentType, forKey: .contentType)
        try container.encode(body, forKey: .body)
    }
}
