import ArgumentParser
import Baton

struct HandleURL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handle-url", abstract: Text.Help.handleURL,
        discussion: Text.Help.handleURLDiscussion + "\n\n"
            + Text.Help.example("batonctl handle-url 'msauth.org.baton.batonctl://auth?code=...&state=...'"))

    // A list, since the parser would print what is too many: an address has a secret in it.
    @Argument(help: ArgumentHelp(Text.Help.handledURL))
    var url: [String] = []

    @OptionGroup var bus: BusSelection
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard url.count == 1, let url = url.first, Self.isURL(url) else { throw ValidationError(Text.oneURL) }
    }

    func run() async throws {
        try await reporting {
            guard let url = url.first else { return }
            let matched = try await bus.device().handleResponse(url: url)
            if output.json { Terminal.say(try JSONOutput.document(MatchedReport(matched: matched))) }
            guard matched else {
                Terminal.complain(Text.nothingWaits)
                throw ExitCode(ExitStatus.refused)
            }
        }
    }

    /// A scheme and visible characters, as batond takes them.
    static func isURL(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }
        return text.utf8.count <= SignInStep.longestURL && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && scheme.utf8.count < text.utf8.count && RedirectScheme.isScheme(scheme)
    }
}
