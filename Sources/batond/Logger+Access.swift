import DeviceBus
import Logging
import Vocabulary

extension Logger {
    /// One line for each name in the list of administrators that this machine does not know.
    func warn(ofUnknown access: Access) {
        for name in access.unknown {
            warning("\(SettingsKey.administrators): unknown user or group '\(name)'")
        }
    }
}
