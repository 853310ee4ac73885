import BatonContract
import DBus

extension Receipt {
    /// Reads the receipt in an answer of batond; nil if the answer is empty because there is no receipt.
    ///
    /// - Throws: `DeviceError.unexpected` for one whose turn cannot be read, which would look like nothing to sign out.
    static func read(answer: VariantDictionary) throws(DeviceError) -> Receipt? {
        guard !answer.isEmpty else { return nil }
        guard let receipt = Receipt(answer) else { throw .unexpected("a receipt without a turn") }
        return receipt
    }
}
