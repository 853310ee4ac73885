import BusTesting
import DBus
import KioskTesting
import Testing
import Vocabulary

@testable import Agent

/// A notification service that tells what it is asked for.
private struct NotificationService: Sendable {
    typealias Notice = (
        application: String, replaced: UInt32, icon: String, summary: String, body: String, actions: [String],
        hints: VariantDictionary, milliseconds: Int32
    )

    enum Event: Sendable {
        case shown(Notice)
        case closed(UInt32)
    }

    static let path: ObjectPath = "/org/freedesktop/Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"
    static let notify = Method(
        interface, "Notify",
        takes: Arguments(
            ("app_name", String.self), ("replaces_id", UInt32.self), ("app_icon", String.self),
            ("summary", String.self), ("body", String.self), ("actions", [String].self),
            ("hints", VariantDictionary.self), ("expire_timeout", Int32.self)),
        gives: Arguments(("id", UInt32.self)))
    static let close = Method(interface, "CloseNotification", takes: Arguments(("id", UInt32.self)))
    static let invoked = Signal(
        interface, "ActionInvoked", Arguments(("id", UInt32.self), ("action_key", String.self)))

    let connection: Connection
    let events: AsyncStream<Event>

    init(on bus: PrivateBus) async throws {
        connection = try await bus.connect()
        let (events, news) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        var object = ServedObject()
        object.answer(Self.notify) { _, notice in
            news.yield(.shown(notice))
            return notice.1 == 0 ? 41 : notice.1
        }
        object.answer(Self.close) { _, number in _ = news.yield(.closed(number)) }
        try await connection.serve(object, at: Self.path)
        try await connection.own("org.freedesktop.Notifications")
    }

    func press(_ number: UInt32, _ key: String) throws {
        try connection.emit(Self.invoked, (number, key), from: Self.path)
    }
}

@Suite(.timeLimit(.minutes(1))) struct CountdownNoticeTests {
    @Test func `one notice counts down, and goes when the countdown is cancelled`() async throws {
        try await withPrivateBus { bus in
            let service = try await NotificationService(on: bus)
            var events = service.events.makeAsyncIterator()
            let notice = CountdownNotice(connection: try await bus.connect()) {}
            await notice.show(Countdown(secondsLeft: 60, reason: .idle, name: ""))
            guard case .shown(let first) = await events.next() else { throw TestingError("nothing shown") }
            #expect(first.summary == "Sign-out in 60 s")
            #expect(first.replaced == 0)
            #expect(first.actions == ["stay", "I am still here"])
            #expect(first.hints["urgency"] == .byte(2))
            #expect(first.milliseconds == 60_000)
            var german = Countdown(secondsLeft: 1, reason: .idle, name: "Ana")
            german.language = .german
            await notice.show(german)
            guard case .shown(let second) = await events.next() else { throw TestingError("nothing shown") }
            #expect(second.summary == "Ana: Abmeldung in 1 s")
            #expect(second.replaced == 41)
            await notice.close()
            guard case .closed(41) = await events.next() else { throw TestingError("not closed") }
            // The next one is a new one.
            await notice.show(Countdown(secondsLeft: -5, reason: .idle, name: ""))
            guard case .shown(let third) = await events.next() else { throw TestingError("nothing shown") }
            #expect(third.replaced == 0 && third.milliseconds == 0)
            await notice.show(Countdown(secondsLeft: .max, reason: .idle, name: ""))
            guard case .shown = await events.next() else { throw TestingError("nothing shown") }
        }
    }

    @Test func `the button prevents the sign-out, another program's notice does not`() async throws {
        try await withPrivateBus { bus in
            let service = try await NotificationService(on: bus)
            let (presses, pressed) = AsyncStream.makeStream(of: Int.self)
            let notice = CountdownNotice(connection: try await bus.connect()) { pressed.yield(1) }
            await notice.show(Countdown(secondsLeft: 30, reason: .idle, name: ""))
            try service.press(7, "stay")
            try service.press(41, "default")
            // An impostor that is not the service.
            let other = try await bus.connect()
            try other.emit(NotificationService.invoked, (41, "stay"), from: NotificationService.path)
            try await other.call(
                NotificationService.close, 1, to: "org.freedesktop.Notifications", at: NotificationService.path)
            try service.press(41, "stay")
            var all = presses.makeAsyncIterator()
            #expect(await all.next() == 1)
            await notice.close()
            pressed.finish()
            #expect(await all.next() == nil)
        }
    }

    @Test func `a task that is cancelled while it shows leaves no notice behind`() async throws {
        try await withPrivateBus { bus in
            let service = try await NotificationService(on: bus)
            let notice = CountdownNotice(connection: try await bus.connect()) {}
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await notice.show(Countdown(secondsLeft: 10, reason: .idle, name: ""))
                await notice.close()
            }
            await task.value
            var events = service.events.makeAsyncIterator()
            guard case .shown = await events.next() else { throw TestingError("nothing shown") }
            guard case .closed(41) = await events.next() else { throw TestingError("not closed") }
        }
    }

    @Test func `without a notification service nothing happens`() async throws {
        try await withPrivateBus { bus in
            let notice = CountdownNotice(connection: try await bus.connect()) {}
            await notice.show(Countdown(secondsLeft: 10, reason: .idle, name: ""))
            await notice.show(Countdown(secondsLeft: 9, reason: .idle, name: ""))
            await notice.close()
            // A service that comes later is used.
            let service = try await NotificationService(on: bus)
            await notice.show(Countdown(secondsLeft: 8, reason: .idle, name: ""))
            var events = service.events.makeAsyncIterator()
            guard case .shown(let first) = await events.next() else { throw TestingError("nothing shown") }
            #expect(first.replaced == 0)
        }
    }

    @Test func `a bus that is gone ends nothing here`() async throws {
        let bus = try PrivateBus()
        let notice = CountdownNotice(connection: try await bus.connect()) {}
        bus.stop()
        await notice.show(Countdown(secondsLeft: 10, reason: .idle, name: ""))
        await notice.close()
    }
}
