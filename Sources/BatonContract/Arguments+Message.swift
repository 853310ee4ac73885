import DBus

extension Arguments {
    /// Says which message a dictionary, or each in an array, holds.
    ///
    /// The bus hands the dictionary over as it came: what callers write is refused with the contract's own errors, and an
    /// empty answer says that there is nothing.
    func holding<Message: FieldMessage>(_ message: Message.Type, in name: String) -> Self {
        describing(name, as: Message.manual)
    }
}
