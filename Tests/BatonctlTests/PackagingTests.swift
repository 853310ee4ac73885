import Baton
import BusTesting
import Testing

@testable import BatonctlProgram

@Suite(.timeLimit(.minutes(1))) struct PackagingTests {
    @Test func `Baton's own scheme is installed with a valid desktop file, and taken away again`() async throws {
        let place = try Workplace()
        let root = "\(place.folder)/root"
        let installation = try await ChildProcess(
            ["\(Workplace.package)/packaging/install", root, "/usr", "/etc"],
            environment: place.environment(nil, ["BATON_BINARIES": Workplace.programs])
        ).end()
        #expect(installation.status == 0, "\(installation.output)")
        let file = "root/usr/share/applications/org.baton.batonctl.desktop"
        let text = try place.read(file)
        #expect(text.contains("\nExec=/usr/bin/batonctl handle-url %u\n"))
        let scheme = try #require(RedirectScheme.privateUse(of: Tokens.ownRedirectURI))
        #expect(text.contains("\nMimeType=x-scheme-handler/\(scheme);\n"))
        let check = try await ChildProcess(["desktop-file-validate", "\(place.folder)/\(file)"]).end()
        #expect(check.output == "" && check.status == 0)
        // A reload that is refused has to fail, which a signal cannot.
        let unit = try place.read("root/usr/lib/systemd/system/batond.service")
        #expect(unit.contains("\nExecReload=/usr/bin/batonctl reload --system\n"))
        #expect(unit.contains("\nLimitNOFILE="))
        let removal = try await ChildProcess(["\(Workplace.package)/packaging/uninstall", root, "/usr", "/etc"]).end()
        #expect(removal.status == 0, "\(removal.output)")
        #expect(!place.exists(file))
    }
}
