/// What stands in JSON, and wherever a text is needed, for a word of another version that this one does not know.
public enum UnknownWord {
    public static let text = "unknown"
}
