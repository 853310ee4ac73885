import Baton

/// Wrong PINs of local accounts.
enum PINLook {
    static func findings(_ device: DeviceInformation) -> [Finding] {
        guard device.identity == .local else { return [] }
        guard device.lockedAccounts > 0 || device.wrongPINs >= 3 else { return [.ok("pins", Text.Doctor.pinsAreRight)] }
        return [
            .warning(
                "pins", Text.Doctor.wrongPINs(device.wrongPINs, locked: device.lockedAccounts),
                Text.Doctor.showLocked)
        ]
    }
}
