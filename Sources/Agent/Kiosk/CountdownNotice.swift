public import DBus
public import Logging

/// Says on the desktop how long it is until the automatic sign-out, with a button that prevents it.
///
/// Without a notification service nothing happens but one line in the log: the kiosk page has the countdown too.
public actor CountdownNotice {
    private let connection: Connection
    private let stay: @Sendable () async -> Void
    private let logger: Logger
    /// What is to be seen; nil: nothing.
    private var wanted: Countdown?
    private var shown: Countdown?
    /// As the service numbers it; 0: none. Kept while it may still be on the screen.
    private var number: UInt32 = 0
    private var isWorking = false
    private var hasComplained = false
    private var listener: Task<Void, Never>?

    private static let stayKey = "stay"

    /// - Parameter stay: Called when a worker presses the button.
    public init(
        connection: Connection, logger: Logger = Logger(label: "baton-agent"),
        stay: @escaping @Sendable () async -> Void
    ) {
        self.connection = connection
        self.logger = logger
        self.stay = stay
    }

    deinit { listener?.cancel() }

    /// Shows the notice, or changes the one that is there.
    func show(_ countdown: Countdown) async {
        wanted = countdown
        await settle()
    }

    /// Takes it away. When a `show` is still on its way, that one takes it away.
    public func close() async {
        wanted = nil
        await settle()
    }

    /// One at a time: two calls at once would leave two notices.
    private func settle() async {
        if isWorking { return }
        isWorking = true
        defer { isWorking = false }
        while shown != wanted {
            let next = wanted
            if let next { await notify(next) } else { withdraw() }
            shown = next
        }
    }

    private func withdraw() {
        guard number != 0 else { return }
        // Without waiting for an answer, so that it also goes out from a task that is cancelled.
        try? connection.post(
            Notifications.close, number, to: Notifications.busName, at: Notifications.path, options: .noAutoStart)
        number = 0
    }

    private func notify(_ countdown: Countdown) async {
        let connection = connection
        let seconds = max(0, countdown.secondsLeft)
        let input = (
            "Baton", number, "system-log-out", countdown.title, countdown.cause,
            [Self.stayKey, countdown.stay],
            // Not kept in a list of past notices, where the next worker would find it.
            ["urgency": .byte(2), "transient": .boolean(true)] as VariantDictionary,
            // If no agent is left to close it, it goes when its time is over.
            Int32(clamping: min(seconds, 100_000) * 1000)
        )
        await listen()
        // Not cancelled with the caller's task: the number is needed to take the notice away again.
        let answer = await Task {
            try await connection.call(
                Notifications.notify, input, to: Notifications.busName, at: Notifications.path,
                timeout: .seconds(3))
        }.result
        switch answer {
        case .success(let new): number = new
        case .failure(let error):
            number = 0
            if hasComplained { return }
            hasComplained = true
            logger.notice("The countdown is not shown on the desktop: no notification service", error: error)
        }
    }

    /// Hears the button from before the first notice on, until this object goes or the bus is lost.
    private func listen() async {
        if listener != nil { return }
        guard
            let presses = try? await connection.subscribe(
                to: Notifications.actionInvoked, from: Notifications.busName, at: Notifications.path)
        else { return }
        listener = Task { [weak self] in
            do {
                for try await press in presses { await self?.pressed(press.values.0, press.values.1) }
            } catch {
                await self?.deaf()
            }
        }
    }

    private func deaf() { listener = nil }

    private func pressed(_ pressed: UInt32, _ key: String) async {
        guard pressed == number, number != 0, key == Self.stayKey else { return }
        await stay()
    }
}
