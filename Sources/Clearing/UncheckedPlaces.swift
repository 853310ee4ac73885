import Vocabulary

/// Where a turn can leave something that no step of a sign-out looks at: each is a row of the receipt, and none is a fault.
struct UncheckedPlaces {
    /// The session's.
    let environment: [String: String]
    /// What the settings and the apps' files keep.
    let kept: [String]
    /// The folders in which the turn's files are looked for.
    let walked: [String]

    var rows: [HolderReport] {
        [
            HolderReport("user-units", .unchecked, "services and timers of the user manager are not looked at"),
            screen,
            HolderReport(
                "ipc", .unchecked,
                "System V and POSIX IPC, abstract sockets and the kernel's keyrings are not looked at"),
            keptPaths,
            HolderReport(
                "other-folders", .unchecked,
                "files are looked for in \(walked.joined(separator: ", ")), and nowhere else"),
        ].compactMap(\.self)
    }

    private var screen: HolderReport? {
        guard environment["DISPLAY"]?.isEmpty == false else { return nil }
        return HolderReport(
            "screen-settings", .unchecked,
            "names that programs had the X server number, and settings of XInput, XKB and RandR, are not looked at")
    }

    /// Without what the session itself needs, such as its bus.
    private var keptPaths: HolderReport {
        let paths = Set(kept + StrayFiles.alwaysKept).sorted()
        return HolderReport(
            "kept-files", .unchecked, "not looked at, since they are kept: \(paths.named(atMost: 16))")
    }
}
