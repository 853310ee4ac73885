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
        #expect(Access([], owner: nil).ground(user: 0, groups: []) == .root)
        #expect(Access([], owner: nil).ground(user: 1, groups: [1]) == nil)
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
        while administrators.current.ground(user: known, groups: []) == nil { await Task.yield() }
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
            let present = Caller(connection: connection, name: caller.uniqueName, path: "/")
            let (principal, ground) = try await context.administrator(present, for: .reset)
            #expect(principal.user == SystemAccounts.own && [.root, .session].contains(ground))
            await caller.close()
            // What was known of them has gone with them.
            for await name in departures where name == caller.uniqueName { break }
            // The second was never there.
            for name: BusName in [caller.uniqueName, ":1.999999"] {
                let absent = Caller(connection: connection, name: name, path: "/")
                let refusal = await #expect(throws: BatonError.self) {
                    _ = try await context.administrator(absent, for: .reset)
                }
                #expect(refusal == BatonError(.notAuthorized, "The bus does not identify the caller."))
            }
        }
    }

    /// As a user whom neither the settings nor the session make one.
    private func stranger(_ caller: Connection, at context: CallContext) async throws -> (Caller, Principal) {
        var principal = try await context.caller(caller.uniqueName)
        (principal.user, principal.groups) = (4711, [4711])
        let call = Caller(
            connection: context.connection, name: caller.uniqueName, path: "/", allowsInteraction: true)
        return (call, principal)
    }

    @Test func `root and those whom the settings name are let through without a question, all others by polkit`()
        async throws
    {
        try await withPrivateBus { bus in
            let (connection, caller) = (try await bus.connect(), try await bus.connect())
            let fake = try await FakePolkit(on: bus) { FakePolkit.Answer($0.action == "org.baton.reset", false, [:]) }
            let context = try await Self.context(on: connection, polkit: Polkit(connection, log: Self.log))
            let (call, principal) = try await stranger(caller, at: context)
            for (user, ground) in [(UInt32(0), Ground.root), (4712, .settings)] {
                var named = principal
                named.user = user
                #expect(await context.standing(call, named, for: .reload) == .success(ground))
            }
            #expect(await context.standing(call, principal, for: .reset) == .success(.polkit))
            #expect(await context.standing(call, principal, for: .reload) == .failure(.refused))
            // What shows less to others asks no person.
            #expect(
                await context.standing(call, principal, for: .readReceipts, interactively: false) == .failure(.refused))
            var asked: [FakePolkit.Question] = []
            for _ in 1...3 { if let question = await fake.questions.next() { asked.append(question) } }
            #expect(asked.map(\.action) == ["org.baton.reset", "org.baton.reload", "org.baton.read-receipts"])
            #expect(asked.map(\.flags) == [1, 1, 0])
            #expect(asked.allSatisfy { $0.name == caller.uniqueName.rawValue })
            // On another bus than polkit's.
            let alone = try await Self.context(on: connection)
            #expect(await alone.standing(call, principal, for: .reset) == .failure(.notNamed))
        }
    }

    @Test func `about the kiosk user and the users of turns polkit is not even asked`() async throws {
        try await withPrivateBus { bus in
            let (connection, caller) = (try await bus.connect(), try await bus.connect())
            let fake = try await FakePolkit(on: bus) { _ in FakePolkit.Answer(true, false, [:]) }
            let context = try await Self.context(on: connection, polkit: Polkit(connection, log: Self.log))
            var (call, principal) = try await stranger(caller, at: context)
            for user: UInt32 in [1000, 61003] {
                principal.user = user
                #expect(await context.standing(call, principal, for: .reset) == .failure(.terminal))
            }
            (call, principal) = try await stranger(caller, at: context)
            #expect(await context.standing(call, principal, for: .reload) == .success(.polkit))
            #expect(await fake.questions.next()?.action == "org.baton.reload")
        }
    }

    /// Also for a call that wants no answer, whose task nobody cancels.
    @Test func `a yes that comes when the caller has left lets nobody through`() async throws {
        try await withPrivateBus { bus in
            let (connection, caller) = (try await bus.connect(), try await bus.connect())
            let answers = Happenings<FakePolkit.Answer>()
            let fake = try await FakePolkit(on: bus) { _ in
                await answers.next() ?? FakePolkit.Answer(false, false, [:])
            }
            let context = try await Self.context(on: connection, polkit: Polkit(connection, log: Self.log))
            let (call, principal) = try await stranger(caller, at: context)
            async let standing = context.standing(call, principal, for: .reset)
            _ = await fake.questions.next()
            await caller.close()
            while try await connection.hasOwner(caller.uniqueName) {}
            answers.report(FakePolkit.Answer(true, false, [:]))
            #expect(await standing == .failure(.left))
        }
    }

    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// One at which this user administers, as whose session it is, and number 4712, whom the settings name.
    private static func context(on connection: Connection, polkit: Polkit? = nil) async throws -> CallContext {
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
            administrators: Administrators(Access([.user("4712")], owner: SystemAccounts.own)), polkit: polkit,
            usersOfTerminal: [1000, 61003], log: log,
            errorDetails: ErrorDetails(),
            reload: { _ in throw BatonError(.failed, "") }, goOn: { _ in })
    }
}
