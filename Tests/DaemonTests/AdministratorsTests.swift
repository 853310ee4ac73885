import DBus
import Testing

@testable import Supervisor

@Suite("Who administers", .timeLimit(.minutes(1)))
struct AdministratorsTests {
    @Test func `root always may`() {
        #expect(Access([], owner: nil).isAdministrator(user: 0, groups: []))
        #expect(!Access([], owner: nil).isAdministrator(user: 1, groups: [1]))
    }

    @Test func `whom the machine does not know yet is looked for again`() async throws {
        let unknown = Access([.user("nobody-knows-this-name")], owner: nil)
        #expect(unknown.unknown == ["nobody-knows-this-name"])
        let administrators = Administrators(unknown)
        let (looks, look) = AsyncStream.makeStream(of: Void.self)
        let thread = try BusThread()
        administrators.replace(
            unknown,
            again: {
                look.yield()
                return Access([.user("nobody")], owner: nil)
            }, on: thread, pause: .milliseconds(1))
        for await _ in looks { break }
        let known = try #require(Access.user("nobody"))
        while !administrators.current.isAdministrator(user: known, groups: []) { await Task.yield() }
    }
}
