import Baton
import Glibc
import LinuxSystem

/// The policies that keep the browser from offering what outlasts a turn, such as to save a password.
struct BrowserPolicyLook {
    /// Below it lie the browsers' folders.
    var folder = "/etc"

    /// - Parameter device: What batond says of itself; nil: it was not asked.
    func findings(_ device: DeviceInformation?) -> [Finding] {
        guard let kind = device?.browser.kind, device?.browser.isManaged == true else { return [] }
        let path =
            kind == .firefox
            ? "\(folder)/firefox/policies/policies.json" : "\(folder)/chromium/policies/managed/baton.json"
        if access(path, R_OK) == 0 { return [.ok("policies", path)] }
        // A link that leads nowhere stays where it is.
        guard FileFacts(path: path) == nil else {
            return [.wrong("policies", Text.Doctor.policiesAreGone(path), Text.Doctor.installAgain)]
        }
        return [.wrong("policies", Text.Doctor.noPolicies(path), "systemd-tmpfiles --create baton.conf")]
    }
}
