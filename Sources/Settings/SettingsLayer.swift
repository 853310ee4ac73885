public import Configuration
public import SystemPackage
import Vocabulary

/// A source of single values that goes before the file: the environment, or systemd's credentials.
public struct SettingsLayer: Sendable {
    let name: String
    let provider: any ConfigProvider
    /// The names that the source holds, to find those that mean nothing.
    let names: [String]

    /// Any provider whose keys are those of the file, such as `barrier.soft`.
    public init(_ name: String, provider: any ConfigProvider) {
        self.name = name
        self.provider = provider
        names = []
    }

    private init(_ name: String, provider: any ConfigProvider, names: [String]) {
        self.name = name
        self.provider = provider
        self.names = names
    }

    static let prefix = "BATON_"

    /// Variables such as `BATON_BARRIER_SOFT`; lists are separated by commas.
    public static func environment(_ variables: [String: String]) -> SettingsLayer {
        // The provider ignores case and would not survive two names that differ in nothing else.
        let ours = variables.filter { $0.key.hasPrefix(prefix) && $0.key == $0.key.uppercased() }
        let provider = EnvironmentVariablesProvider(environmentVariables: ours)
        return SettingsLayer(
            "environment", provider: provider.prefixKeys(with: "baton"), names: ours.keys.sorted())
    }

    /// Files of systemd's credential directory, such as `baton-barrier-soft`.
    public static func credentials(directory: FilePath) async throws -> SettingsLayer {
        let provider = try await DirectoryFilesProvider(directoryPath: directory, allowMissing: true)
        return SettingsLayer("credential", provider: provider.prefixKeys(with: "baton"))
    }

    static func variable(for key: SettingsKey) -> String {
        prefix + String(key.name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
