/// What a locked screen shows for another device of its worker.
public struct LockCode: Sendable, Hashable {
    /// What to do there.
    public var hint: String
    /// What is typed there.
    public var code: String
    /// Until when it can be.
    public var end: String
    /// Of a QR code, with its quiet zone: row by row, true for dark ones. Empty: there is no picture.
    public var modules: [Bool]
    /// How many a row has.
    public var width: Int

    public init(hint: String, code: String, end: String, modules: [Bool] = [], width: Int = 0) {
        self.hint = hint
        self.code = code
        self.end = end
        self.modules = modules
        self.width = width
    }
}
