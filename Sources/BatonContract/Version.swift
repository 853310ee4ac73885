/// The version that all of Baton's programs have.
public enum Version {
    public static let current = "0.2.0"
}
