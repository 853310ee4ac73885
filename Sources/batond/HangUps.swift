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
        // `cancelOnGracefulShutdown()` would start a task in the pool of threads.
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { wish.yield() }
        }
        wish.finish()
    }
}
