import BatonContract
import QRCodes

/// A sign-in that waits for another device, as the start page shows it.
struct PhoneSignIn: Sendable, Equatable, Encodable {
    /// What is typed there.
    let code: String
    /// Where, as people read it.
    let url: String
    /// The dark modules of the QR code, as the path of an SVG picture with a module for each unit; empty: the address is too long for one.
    var modules = ""
    /// How wide that picture is, its quiet zone included.
    var width = 0
    /// Until when the provider waits, Unix time in milliseconds; 0: it does not say.
    let ends: UInt64

    /// Nil for a step that is done on this device.
    init?(_ step: SignInStep) {
        guard step.kind == .deviceCode else { return nil }
        code = step.userCode
        url = step.url
        ends = step.expires / 1000
        guard let picture = QRCode(step.scanned) else { return }
        let zone = QRCode.quietZone
        width = picture.side
        for row in 0..<picture.width {
            for column in 0..<picture.width where picture.isDark(row: row, column: column) {
                modules += "M\(column + zone) \(row + zone)h1v1h-1z"
            }
        }
    }
}
