/// Why a receipt names a sender among those that were rejected; the words of receipts.
public enum RejectionCause: RawRepresentable, Hashable, Sendable, Codable {
    /// What it said was answered with this error.
    case refused(ErrorCode)
    /// It called beyond measure, however its calls were answered.
    case misuse(MisuseKind)
    /// A word of another version. It is kept and shown as it was read, and counts as neither of the others.
    case unknown(String)

    public init(rawValue: String) {
        if let code = ErrorCode(rawValue: rawValue) {
            self = .refused(code)
        } else if let kind = MisuseKind(rawValue: rawValue) {
            self = .misuse(kind)
        } else {
            self = .unknown(rawValue)
        }
    }

    public var rawValue: String {
        switch self {
        case .refused(let code): code.rawValue
        case .misuse(let kind): kind.rawValue
        case .unknown(let word): word
        }
    }
}
