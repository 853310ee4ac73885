import Glibc
import TerminalTesting
import Testing

@testable import Providers
@testable import Settings

struct SchemeRegistryTests {
    private let terminal: Terminal

    init() throws { terminal = try Terminal(accounts: false) }

    private func registry(_ scope: Settings.Scope = .session) -> SchemeRegistry {
        SchemeRegistry(
            scope: scope,
            environment: ["XDG_DATA_DIRS": "\(terminal.folder)/none", "XDG_DATA_HOME": "\(terminal.folder)/data"])
    }

    private func install(_ text: String, as name: String = "a.desktop") throws {
        mkdir("\(terminal.folder)/data/applications", 0o700)
        try terminal.write(text, to: "data/applications/\(name)")
    }

    @Test func `a scheme is registered when a desktop file handles it`() throws {
        #expect(!registry().isRegistered("msauth.org.example.till"))
        try install("[Desktop Entry]\nMimeType=text/plain;x-scheme-handler/msauth.org.example.till;\n")
        #expect(registry().isRegistered("msauth.org.example.till"))
        #expect(registry().isRegistered("MSAUTH.org.example.Till"))
        #expect(!registry().isRegistered("msauth.org.example.ti"))
    }

    @Test func `other groups, other keys and other files do not count`() throws {
        try install("[Desktop Action x]\nMimeType=x-scheme-handler/one;\n[Desktop Entry]\nName=x-scheme-handler/two;\n")
        try install("[Desktop Entry]\nMimeType=x-scheme-handler/three;\n", as: "c.desktop.bak")
        for scheme in ["one", "two", "three"] { #expect(!registry().isRegistered(scheme)) }
    }

    @Test func `on the system bus the files of one user do not count`() throws {
        try install("[Desktop Entry]\nMimeType=x-scheme-handler/own;\n")
        #expect(registry().isRegistered("own"))
        #expect(!registry(.system).isRegistered("own"))
    }
}
