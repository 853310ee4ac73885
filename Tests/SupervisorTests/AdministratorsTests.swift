import Baton
import BusTesting
import DBus
import Logging
import Testing

@testable import DeviceBus
@testable import Journal
@testable import Settings
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
        let known = try #require(SystemAccounts.user("nobody"))
        while !administrators.current.isAdministrator(user: known, groups: []) { await Task.yield() }
    }

    /// It is asked by each call that is for administrators, and by a sign-out that says that one wants it.
    @Test func `whose credentials the bus does not give is refused, whoever they were`() async throws {
        try await withPrivateBus { bus in
            let (connection, caller) = (try await bus.connect(), try await bus.connect())
            let (departures, departure) = AsyncStream.makeStream(of: BusName.self)
            _ = try await connection.observeNames { change in
                if change.newOwner == nil { departure.yield(change.name) }
            }
            let context = try await Self.context(on: connection)
            #expect(try await context.administrator(caller.uniqueName).user == SystemAccounts.own)
            await caller.close()
            // What was known of them has gone with them.
            for await name in departures where name == caller.uniqueName { break }
            // The second was never there.
            for name: BusName in [caller.uniqueName, ":1.999999"] {
                let refusal = await #expect(throws: BatonError.self) { _ = try await context.administrator(name) }
                #expect(refusal == BatonError(.notAuthorized, "The bus does not identify the caller."))
            }
        }
    }

    /// One at which this user administers, as whose session it is.
    private static func context(on connection: Connection) async throws -> CallContext {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let tokens = LaunchTokens(thread: connection.thread)
        return CallContext(
            supervisor: try await Supervisor.alone(
                with: UnreadableJournal(fault: JournalFault(.damaged, "journal", "scripted"), deviceID: "0"),
                on: connection.thread),
            connection: connection,
            agent: AgentLink(
                connection: connection, tokens: tokens, settings: Settings(defaultsFor: .session), log: log,
                post: { _ in }), tokens: tokens,
            facts: DeviceFacts(version: "0", hostname: "", bootID: "", started: 0, bus: .session),
            administrators: Administrators(Access([], owner: SystemAccounts.own)), log: log,
            errorDetails: ErrorDetails(),
            reload: { _ in throw BatonError(.failed, "") }, goOn: { _ in })
    }
}
