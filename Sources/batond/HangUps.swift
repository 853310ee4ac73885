import ServiceLifecycle
import UnixSignals

/// SIGHUP, by which a service manager asks for the settings to be read again.
struct HangUps: Service {
    let wishes: AsyncStream<Void>
    private let wish: AsyncStream<Void>.Continuation

    init() {
        (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func run() async {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { wish.yield() }
        wish.finish()
    }
}
