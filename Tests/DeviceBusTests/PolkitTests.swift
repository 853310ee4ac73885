import BusTesting
import DBus
import Logging
import Testing

@testable import BatonContract
@testable import DeviceBus

/// What becomes of a caller about whom polkit is asked, whatever polkit does.
@Suite("polkit asked about a caller", .timeLimit(.minutes(1)))
struct PolkitTests {
    private typealias Answer = FakePolkit.Answer

    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// One whose patience with machines is a moment, and with people is none that a test waits for.
    private func polkit(_ connection: Connection, machine: Duration = .seconds(30)) -> Polkit {
        var patience = Polkit.Patience()
        patience.machine = machine
        return Polkit(connection, log: Self.log, patience: patience)
    }

    @Test func `only a plain yes lets a caller through`() {
        let answers: [(Bool, Bool, [String: String], Standing)] = [
            (true, false, [:], .success(.polkit)),
            (true, false, ["polkit.temporary_authorization_id": "tmpauthz1"], .success(.polkit)),
            (false, false, [:], .failure(.refused)),
            (false, true, [:], .failure(.unauthenticated)),
            (false, true, ["polkit.dismissed": "true"], .failure(.dismissed)),
            (false, false, ["polkit.dismissed": "true"], .failure(.dismissed)),
            (true, true, [:], .failure(.failed)),
        ]
        for (may, might, details, standing) in answers {
            #expect(Polkit.standing(Answer(may, might, details)) == standing, "\(may), \(might), \(details)")
        }
    }

    @Test func `each refusal says that administrators may, and what polkit did`() {
        let denials: [Denial] = [
            .notNamed, .terminal, .refused, .unauthenticated, .dismissed, .absent, .timedOut, .failed, .left,
        ]
        for denial in denials {
            #expect(denial.error.code == .notAuthorized)
            #expect(denial.error.message.hasPrefix("Only an administrator of this device may do that."))
            #expect(denial.rawValue.hasPrefix("polkit-") == denial.error.message.contains("polkit"), "\(denial)")
        }
        #expect(Denial.busy.error.code == .limitExceeded)
        #expect(Set((denials + [.busy]).map(\.error.message)).count == denials.count + 1)
    }

    @Test func `it is asked about the name on the bus and the action, and a person only where the call allows it`()
        async throws
    {
        try await withPrivateBus { bus in
            let fake = try await FakePolkit(on: bus) { Answer($0.flags == 1, $0.flags == 0, [:]) }
            let polkit = polkit(try await bus.connect())
            let asked = await polkit.ask(.reset, about: ":1.7", of: 7, interactively: false)
            #expect(asked == .failure(.unauthenticated))
            #expect(
                await fake.questions.next()
                    == .init(kind: "system-bus-name", name: ":1.7", action: "org.baton.reset", flags: 0, id: "baton-1"))
            // No answer is remembered.
            let again = await polkit.ask(.reload, about: ":1.7", of: 7, interactively: true)
            #expect(again == .success(.polkit))
            #expect(
                await fake.questions.next()
                    == .init(kind: "system-bus-name", name: ":1.7", action: "org.baton.reload", flags: 1, id: "baton-2")
            )
            _ = await polkit.ask(.reload, about: ":1.7", of: 7, interactively: true)
            #expect(await fake.questions.next()?.id == "baton-3")
        }
    }

    @Test func `where there is none, where it fails, talks nonsense or goes, the caller is refused`() async throws {
        struct Broken: BusError {
            let name: ErrorName = "org.freedesktop.PolicyKit1.Error.Failed"
            let message = "Action org.baton.reset is not registered"
        }
        try await withPrivateBus { bus in
            let polkit = polkit(try await bus.connect())
            func standing() async -> Standing { await polkit.ask(.reset, about: ":1.7", of: 7, interactively: false) }
            #expect(await standing() == .failure(.absent))
            let broken = try await FakePolkit(on: bus) { _ in throw Broken() }
            #expect(await standing() == .failure(.failed))
            await broken.connection.close()
            let fool = try await FakePolkit(on: bus, nonsense: "yes")
            #expect(await standing() == .failure(.failed))
            await fool.connection.close()
            let mortal = try await FakePolkit(on: bus) { _ in
                await untilCancelled()
                return Answer(true, false, [:])
            }
            async let last = standing()
            _ = await mortal.questions.next()
            await mortal.connection.close()
            #expect(await last == .failure(.failed))
            #expect(await standing() == .failure(.absent))
        }
    }

    @Test func `a question that nobody waits for any more is withdrawn`() async throws {
        try await withPrivateBus { bus in
            let fake = try await FakePolkit(on: bus) { _ in
                await untilCancelled()
                return Answer(true, false, [:])
            }
            let polkit = polkit(try await bus.connect(), machine: .milliseconds(50))
            // It took too long.
            #expect(await polkit.ask(.reset, about: ":1.7", of: 7, interactively: false) == .failure(.timedOut))
            #expect(await fake.withdrawn.next() == fake.questions.next()?.id)
            // The caller left, whose task is cancelled then.
            let asking = Task { await polkit.ask(.reset, about: ":1.7", of: 7, interactively: true) }
            let question = await fake.questions.next()
            asking.cancel()
            #expect(await asking.value == .failure(.left))
            #expect(await fake.withdrawn.next() == question?.id)
        }
    }

    @Test func `a flood has few questions open, and takes no room from others`() async throws {
        try await withPrivateBus { bus in
            let fake = try await FakePolkit(on: bus) { question in
                if question.name != ":1.99" { await untilCancelled() }
                return Answer(true, false, [:])
            }
            let polkit = polkit(try await bus.connect())
            var open: [Task<Standing, Never>] = []
            for (caller, user) in [(1, 7), (1, 7), (2, 7), (3, 7)] as [(Int, UInt32)] {
                open.append(Task { await polkit.ask(.reset, about: Self.name(caller), of: user, interactively: true) })
                _ = await fake.questions.next()
            }
            for caller in [1, 2, 4] {
                #expect(
                    await polkit.ask(.reload, about: Self.name(caller), of: 7, interactively: true) == .failure(.busy))
            }
            #expect(await polkit.ask(.reload, about: ":1.99", of: 8, interactively: false) == .success(.polkit))
            // Where one has ended there is room for another one.
            open[2].cancel()
            #expect(await open[2].value == .failure(.left))
            #expect(await polkit.ask(.reload, about: ":1.99", of: 7, interactively: false) == .success(.polkit))
            for task in open { task.cancel() }
        }
    }

    private static func name(_ number: Int) -> BusName { BusName(":1.\(number)") ?? ":1.0" }

    @Test func `of all users together a few questions are open at most`() {
        var open = OpenQuestions()
        var taken = 0
        for user in 0..<100 where open.begin(Self.name(user), UInt32(user)) { taken += 1 }
        #expect(taken == OpenQuestions.most)
        open.end(Self.name(3), 3)
        let next = (open.begin(Self.name(50), 50), open.begin(Self.name(51), 51))
        #expect(next.0 && !next.1)
        for user in [0, 1, 2] + Array(4..<16) + [50] { open.end(Self.name(user), UInt32(user)) }
        #expect(open == OpenQuestions())
    }
}
