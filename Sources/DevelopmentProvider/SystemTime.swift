import FoundationEssentials

/// The time of the machine.
public enum SystemTime {
    /// Seconds since 1970.
    public static func now() -> Double { Date().timeIntervalSince1970 }
}
