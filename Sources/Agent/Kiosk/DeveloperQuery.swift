import BatonContract
import DBus
import Vocabulary

/// A call of the developers' page that only asks.
enum DeveloperQuery: String, Sendable, CaseIterable {
    case mode = "GetDeviceMode"
    case information = "GetDeviceInformation"
    case account = "GetCurrentAccount"

    struct Answer: Sendable, Equatable {
        var text: String
        /// Nil: the question was another one.
        var account: [[String]]?
        /// Nil: the call was answered.
        var error: ErrorCode?
    }
}

extension DeveloperQuery.Answer {
    init(_ information: DeviceInformation) {
        let values = [
            ("mode", information.mode.rawValue), ("phase", information.phase.rawValue),
            ("epoch", "\(information.epoch)"), ("device-id", information.deviceID),
            ("hostname", information.hostname), ("version", information.version),
            ("identity", information.identity?.rawValue ?? ""), ("issuer", information.issuer),
            ("tenant", information.tenant), ("agent", information.agent?.rawValue ?? ""),
            ("browser", information.browser.rawValue), ("participants", "\(information.participants)"),
            ("bus", information.bus?.rawValue ?? ""), ("idle", information.idle?.rawValue ?? ""),
        ]
        text = values.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }.joined(separator: "\n")
    }

    /// The account before is another worker's, and so not for this page.
    init(epoch: Epoch, current: Account?) {
        text = "epoch \(epoch), \(current == nil ? "no account" : "an account")"
        account = (current?.dictionary ?? [:]).compactMap { key, value in value.string.map { [key, $0] } }
            .sorted { $0[0] < $1[0] }
    }

    init(_ error: ErrorCode, _ text: String) { (self.text, self.error) = (text, error) }
}
