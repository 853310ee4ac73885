extension ReceiptRecord {
    /// What one receipt keeps of all that apps say, in bytes: a device full of chatty apps must not fill its own disk, nor
    /// one of them the memory of a program that reads the receipts.
    static let detailsKept = 64 << 10

    /// Replaces details, the longest first, until all of them have room; what is replaced says so, and how much it was.
    mutating func boundDetails() {
        var total = participants.reduce(0) { $0 + $1.details.utf8.count }
        guard total > Self.detailsKept else { return }
        let longest = participants.indices.sorted { first, second in
            let (one, other) = (participants[first].details.utf8.count, participants[second].details.utf8.count)
            return one == other ? first > second : one > other
        }
        for index in longest where total > Self.detailsKept {
            let count = participants[index].details.utf8.count
            let remark = #"{"truncated":"\#(count) bytes were reported, more than a receipt keeps of all apps"}"#
            guard remark.utf8.count < count else { return }
            participants[index].details = remark
            total -= count - remark.utf8.count
        }
    }
}
