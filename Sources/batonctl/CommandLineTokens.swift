import Baton

/// The apps that batonctl is when it asks for tokens, and whether the settings let it.
enum CommandLineTokens {
    static let tokenApp = "org.baton.batonctl.token"
    static let callApp = "org.baton.batonctl.call"

    /// The setting `command-line-tokens` is off.
    struct Off: Error {}

    /// The origins that a token may be sent to.
    static func origins(of device: Device) async throws -> [String] {
        guard let origins = try await device.deviceInformation().commandLineOrigins else { throw Off() }
        return origins
    }

    /// Does the work as an app that takes part, keeps nothing, and leaves when the work is done.
    static func participating<Value: Sendable>(
        on device: Device, as appID: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await device.participating(as: appID, clear: { _ in .nothingToClear }, work)
    }
}
