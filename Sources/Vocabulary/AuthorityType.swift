/// What kind of provider an authority is, where its host does not tell; the words of `identity.authority-type`.
public enum AuthorityType: String, Hashable, Sendable, CaseIterable {
    case openid, entra, b2c, external, adfs
}
