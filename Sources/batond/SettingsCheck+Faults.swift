import BatonContract
import FoundationEssentials
import Settings

extension SettingsCheck {
    /// - Parameter unknown: Users and groups that this machine does not know.
    init(_ parsed: Settings.Parsed, unknown: [SettingsFault]) {
        self.init(
            faults: parsed.appFaults.map(Remark.init), warnings: parsed.warnings.map(Remark.init),
            unknown: unknown.map(Remark.init))
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension SettingsCheck.Remark {
    init(_ fault: SettingsFault) {
        self.init(
            text: "\(fault)", origin: fault.origin, line: fault.line, key: fault.key,
            unreadableFile: fault.unreadableFile, repair: fault.repair)
    }
}
