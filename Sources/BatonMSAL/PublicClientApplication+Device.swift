public import Baton

extension PublicClientApplication {
    /// How the device stands.
    public var deviceInformation: DeviceInformation {
        get async throws {
            try await speakingMSAL { try await client.device().deviceInformation() }
        }
    }

    /// Whether the device is shared; `.unknown`, never `.personal`, if the device does not answer: treat it as shared.
    public var deviceMode: DeviceMode {
        get async { await (try? client.device())?.deviceMode ?? .unknown }
    }
}

extension DeviceInformation {
    /// MSAL's name for `mode`.
    public var deviceMode: DeviceMode { mode }

    /// What MSAL has no names for, as texts.
    public var extraDeviceInformation: [String: String] {
        [
            "device_id": deviceID, "hostname": hostname, "phase": phase.rawValue, "issuer": issuer, "tenant_id": tenant,
            "agent": agent?.rawValue ?? "", "browser": browser.rawValue, "version": version,
        ].filter { !$0.value.isEmpty }
    }
}

extension DeviceMode {
    /// MSAL's name.
    public static var `default`: DeviceMode { .personal }
}
