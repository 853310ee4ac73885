import GRDB

extension JournalFault {
    init(writing file: String, _ error: any Error) {
        switch error {
        case let fault as JournalFault: self = fault
        case let unusable as UnusableValue: self.init(.refused, file, unusable.what)
        case let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT:
            self.init(.refused, file, "the record contradicts the journal")
        case let error as DatabaseError: self.init(.notWritten, file, "it cannot be written: \(error.plainText)")
        default: self.init(.notWritten, file, "it cannot be written: \(error)")
        }
    }
}

extension DatabaseError {
    /// Without the statement and its values.
    var plainText: String { "\(message ?? resultCode.description) (SQLite \(extendedResultCode.rawValue))" }
}
