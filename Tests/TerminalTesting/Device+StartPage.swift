public import Baton
import BusTesting

extension Device {
    /// Waits until it is free, and its page painted where a browser is managed.
    public func awaitStartPage() async throws {
        try await eventually {
            let found = try await deviceInformation()
            return found.phase == .ready && found.missing.isEmpty
        }
    }
}
