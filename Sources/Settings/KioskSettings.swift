import LocalAccounts
public import Vocabulary

/// What is done about programs and files of a turn that stand in no list: `strays`.
public struct StraySettings: Sendable, Hashable {
    public var processes: StrayTreatment
    public var files: StrayTreatment
    /// Never taken for strays: absolute paths or `~/…`.
    public var keep: [String] = []

    /// On a session bus the kiosk user is a person with other programs.
    public init(defaultsFor scope: Settings.Scope) {
        processes = scope == .system ? .end : .name
        files = processes
    }

    mutating func read(from reader: inout SettingsReader) {
        processes = reader.word(.straysProcesses, default: processes)
        files = reader.word(.straysFiles, default: files)
        keep = reader.texts(.straysKeep, default: keep, expected: "a path", refusal: DataDirectory.refusalToKeep)
    }
}

/// Which of the things that all apps share are cleared at sign-out: `shared-holders`.
public struct HolderSettings: Sendable, Hashable {
    private enum Word: String, CaseIterable { case clear, leave }

    public var cleared: Set<HolderName>

    public init(defaultsFor scope: Settings.Scope) {
        cleared =
            switch scope {
            case .system: Set(HolderName.allCases).subtracting([.microsoftCache])
            // Keyring and downloads are that person's own.
            case .session: [.clipboard]
            }
    }

    mutating func read(from reader: inout SettingsReader) {
        for name in HolderName.allCases {
            let key = SettingsKey.sharedHolders[name.rawValue]
            switch reader.word(key, default: cleared.contains(name) ? Word.clear : .leave) {
            case .clear: cleared.insert(name)
            case .leave: cleared.remove(name)
            }
        }
    }
}
