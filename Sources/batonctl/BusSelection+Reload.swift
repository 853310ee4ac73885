import Baton

extension BusSelection {
    /// Has a batond that runs read its files again. They are changed whatever comes of this, so it only tells.
    func reloadIfRunning() async -> String {
        do {
            let device = try await device()
            guard try await device.isPresent() else { return Text.reloadAtStart }
            try await device.reload()
            return Text.reloaded
        } catch DeviceError.noDaemon {
            return Text.reloadAtStart
        } catch {
            return Text.reloadYourself(Text.failure(error))
        }
    }
}
