/// Where programs of a turn find files. Absolute paths.
public enum TurnFolders {
    /// Their home: in memory, each unit's own.
    public static let home = "/home/baton-turn"
    /// What apps keep from one turn to the next, a folder for each app. It is the turn's user's, and hidden from programs that keep
    /// nothing.
    public static let kept = "/var/lib/baton-keep"
    /// What an administrator shows apps of their home, a folder for each app.
    public static let readOnly = "/var/lib/baton-read-only"
}
