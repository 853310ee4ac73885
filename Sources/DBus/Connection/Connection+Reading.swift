/// Callers that do not read their answers: what lies unread at the bus counts against the sender, from which the bus takes
/// nothing more above a limit, not even what others wait for.
extension Connection {
    private static let askedAgain = Duration.milliseconds(200)

    private var watchesReading: Bool { options.watchesReading && !isBlindToReading }

    func isReading(_ caller: BusName) -> Bool { !watchesReading || unread.isReading(caller) }

    func hasRoomToRead(_ bytes: Int, for caller: BusName) -> Bool {
        !watchesReading || unread.hasRoom(for: bytes)
    }

    /// Notes what was sent to a caller.
    func sent(_ bytes: Int, to caller: BusName) {
        guard watchesReading, unread.sent(bytes + Self.head, to: caller) else { return }
        Task(executorPreference: tasks) { await self.lookWhatIsRead(by: caller) }
    }

    /// What a message is besides its body, about.
    private static let head = 160

    func putOff(_ call: PendingAnswer) {
        _ = call.claim()
        callObserver?(call.sender, .unread)
        unread.putOff(call)
    }

    func refuseUnread(_ call: PendingAnswer) {
        let refusal = CallRefusal(.limitsExceeded, "Read the answers to your calls first.")
        guard let message = encode(refusal, call) else { return }
        _ = try? send(message)
        sent(refusal.message.utf8.count, to: call.sender)
    }

    private func lookWhatIsRead(by caller: BusName) async {
        while isOpen {
            let bytes: Int
            do {
                let values = try await call(
                    BusDaemon.connectionStatistics, caller.rawValue, to: .bus, at: .bus)
                guard let unread = values["OutgoingBytes"]?.uint32 else { return stopWatching() }
                bytes = Int(unread)
            } catch let error as DBusError where error.name == .nameHasNoOwner {
                return unread.forget(caller)
            } catch let error as DBusError where error.name != nil {
                // A bus without such statistics, or one that keeps them to itself.
                return stopWatching()
            } catch {
                return
            }
            if let calls = unread.learned(bytes, of: caller) {
                for call in calls { refuseUnread(call) }
                return
            }
            try? await thread.sleep(for: Self.askedAgain)
        }
    }

    private func stopWatching() {
        isBlindToReading = true
        unread = UnreadAnswers()
    }
}
