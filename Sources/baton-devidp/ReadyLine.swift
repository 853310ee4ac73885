import DevelopmentProvider
import Glibc
import ServiceLifecycle

/// Says on standard output where the provider listens, once.
struct ReadyLine: Service {
    let provider: DevelopmentProvider

    func run() async throws {
        if let address = try? await provider.address {
            let line = Array("ready \(address.issuer)\n".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
        }
        // Returning early would end the group without the provider's own reason.
        try? await gracefulShutdown()
    }
}
