/// Why the journal cannot be read or written: what is wrong with which file, and what to do about it.
///
/// A file that cannot be read is left as it is, byte for byte.
public struct JournalFault: Error, Hashable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// There is no state folder, and none can be made.
        case noFolder = "no-folder"
        /// The file cannot be opened, read, written or made.
        case inaccessible
        /// It is a journal, or was one, and cannot be read.
        case damaged
        /// It is something else's file.
        case foreign
        /// A newer Baton wrote it.
        case foreignVersion = "foreign-version"
        /// Another supervisor works with this state folder.
        case inUse = "in-use"
        /// A record that contradicts what is written, such as a second begin of an epoch.
        case refused
        /// The write failed; what was there before is still there.
        case notWritten = "not-written"
    }

    public let kind: Kind
    public let file: String
    public let what: String

    public init(_ kind: Kind, _ file: String, _ what: String) {
        self.kind = kind
        self.file = file
        self.what = what
    }

    /// The journal itself is what is wrong, not a file beside it or the disk: only then is another one in its place any better.
    package var isOfJournal: Bool {
        switch kind {
        case .damaged, .foreign, .foreignVersion, .refused: file.hasSuffix("/baton.sqlite")
        case .noFolder, .inaccessible, .inUse, .notWritten: false
        }
    }

    public var description: String {
        let remedy =
            switch kind {
            case .noFolder: "make it accessible to the supervisor's user and start again"
            case .inaccessible:
                "make it accessible to the supervisor's user; then `batonctl reset` as an administrator, or a restart of"
                    + " batond, goes on with it"
            case .damaged where !isOfJournal, .foreign where !isOfJournal:
                "nothing was changed; move this file away, and start batond again, which makes another"
            case .damaged, .foreign:
                "nothing was changed; `batonctl reset` as an administrator moves it aside and begins a new journal"
            case .foreignVersion:
                "nothing was changed; start the newer Baton again, or `batonctl reset` as an administrator moves it"
                    + " aside and begins a new journal"
            case .inUse: "stop the other supervisor, or give this one another state folder"
            case .refused: "this is a fault in Baton; please report it"
            case .notWritten:
                "make room on the disk and see that the folder can be written; a device that was started so goes on after"
                    + " `batonctl reset` or a restart of batond"
            }
        return "\(file): \(what); \(remedy)"
    }
}
