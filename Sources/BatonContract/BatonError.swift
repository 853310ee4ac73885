public import DBus
public import Vocabulary

/// An error of the contract: `org.baton.Error.` and one of these, with a text that says what to do.
public struct BatonError: BusError, Hashable {
    public typealias Code = ErrorCode

    public static let prefix = "org.baton.Error."

    public let code: Code
    public let message: String
    /// What programs want to know beyond the name; see `TokenErrorDetails`. It does not travel with the error: batond
    /// answers `GetErrorDetails` with it.
    public let details: VariantDictionary

    public init(_ code: Code, _ message: String, details: VariantDictionary = [:]) {
        self.code = code
        self.message = message
        self.details = details
    }

    public var name: ErrorName { ErrorName(Self.prefix + code.rawValue) ?? .failed }

    /// The error that came as a reply, if it is one of the contract's.
    public init?(_ error: DBusError) {
        guard case .reply(let name, let message) = error, name.rawValue.hasPrefix(Self.prefix),
            let code = Code(rawValue: String(name.rawValue.dropFirst(Self.prefix.count)))
        else { return nil }
        self.init(code, message)
    }

    public func with(details: VariantDictionary) -> BatonError { BatonError(code, message, details: details) }
}

extension BatonError: CustomStringConvertible {
    public var description: String { message.isEmpty ? code.rawValue : message }
}
