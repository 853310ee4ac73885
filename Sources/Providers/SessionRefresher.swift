import DBus
import Identity
import Log
import Logging
import SessionMachine

/// Keeps a worker's tokens fresh while they hold the device, and notices when the provider is away for too long.
struct SessionRefresher: Sendable {
    enum Ending: Sendable {
        case cancelled
        case awayTooLong
        case ended
    }

    /// Nil: its tokens were lost in a restart; whether the provider is there can be asked all the same.
    let session: WorkerSession?
    let client: OpenIDClient
    /// How long the provider may be away; nil: for ever.
    let offline: Duration?
    let clock: Clock
    /// Sleeps on it: what waits is cancelled with each turn, and must be let go of at once.
    let thread: BusThread
    let log: Logger

    /// Returns when it is cancelled, or when the provider has been away for longer than allowed.
    func run() async -> Ending {
        let pause = offline.map { min(max($0 / 8, .milliseconds(250)), .seconds(240)) } ?? .seconds(240)
        var heard = clock.now().boottime
        var wasAway = false
        while true {
            guard (try? await thread.sleep(for: pause)) != nil else { return .cancelled }
            guard let isThere = await contact() else { return .ended }
            guard !Task.isCancelled else { return .cancelled }
            let now = clock.now().boottime
            if isThere {
                heard = now
                if wasAway { log.tell(.providerBack, .notice, "the identity provider is there again") }
            } else {
                if !wasAway { log.tell(.providerAway, .warning, "the identity provider cannot be reached") }
                if let offline, now.subtracting(heard) > offline.microseconds {
                    log.error("the identity provider was away for too long, the worker is signed out")
                    return .awayTooLong
                }
            }
            wasAway = !isThere
        }
    }

    /// Whether the provider answered, whatever it said; nil: it said that the account or the session is gone.
    private func contact() async -> Bool? {
        do throws(IdentityError) {
            try await session?.renew()
        } catch {
            if error.isUnreachable { return false }
            if error.endsTurn { return nil }
            log.warning("the worker's tokens could not be renewed", metadata: ["cause": "\(error.text)"])
        }
        return await client.isReachable()
    }
}
