extension Settings {
    /// The commented example file, which explains every key: what `--help-settings` prints.
    public static var example: String {
        String(decoding: PackageResources.baton_yaml, as: UTF8.self)
    }
}
