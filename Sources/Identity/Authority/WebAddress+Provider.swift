import WebText

extension WebAddress {
    /// An address of a provider: nothing that any standard lacks, no fragment, and a host that can be asked for.
    init?(ofProvider text: String) {
        guard let address = WebAddress(text), address.isPlain, address.fragment == nil, !address.host.hasPrefix("."),
            address.host.utf8.count <= 253
        else { return nil }
        self = address
    }
}
