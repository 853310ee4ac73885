public import DBus
import Glibc
public import LinuxSystem
import Vocabulary
import Wiping

/// Items and collections of the Secret Service (gnome-keyring, KWallet, KeePassXC) that were written during the turn.
public struct KeyringHolder: SharedHolder {
    public let name = "keyring"
    private let connection: Connection?
    private let files: String?

    /// - Parameters:
    ///   - connection: To the session's bus; nil when there is none.
    ///   - files: The folder with the service's files, `~/.local/share/keyrings`: a service that was killed shows nothing.
    public init(connection: Connection?, files: String? = nil) {
        self.connection = connection
        self.files = files
    }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        let second = UInt64(clamping: turn.wall / 1_000_000_000)
        let (files, name) = (files, name)
        // Before anything is deleted, which writes them.
        let hasChanged = await OwnThread.run(limit: limit) { files.map { Self.hasChanged($0, turn) } ?? false } ?? true
        return await clearSecrets(
            connection, limit, takes: { $0.isWritten(since: second) }, takesCollection: { $0.isMade(since: second) },
            verdict: { found in
                guard let found else {
                    guard hasChanged else { return nil }
                    return HolderReport(name, .failed, "its files changed in the turn and no service shows them")
                }
                if hasChanged, found.locked > 0 {
                    return HolderReport(name, .failed, "a locked keyring changed in the turn")
                }
                return found.doubts(undated: true).map { HolderReport(name, .unchecked, $0) }
            })
    }

    /// Whether a file in the folder is of the turn; also when it cannot be read.
    private static func hasChanged(_ folder: String, _ turn: TurnStart) -> Bool {
        let stream: DirectoryStream
        switch WipeRoot.open(folder) {
        case .missing: return false
        case .refused: return true
        case .open(let found): stream = found
        }
        let filter = TurnFilter(user: getuid(), since: turn.wall, isLook: true)
        while true {
            switch stream.next() {
            case .end: return false
            case .failed: return true
            case .entry(let name):
                if name.text.hasSuffix(".keyring"), FileFacts(name, in: stream.descriptor).map(filter.takes) == true {
                    return true
                }
            }
        }
    }
}

/// What Microsoft's client libraries keep of accounts, whenever it was written.
public struct MicrosoftCacheHolder: SharedHolder {
    public let name = "microsoft-cache"
    private let connection: Connection?

    public init(connection: Connection?) { self.connection = connection }

    public func warning() async -> String? { nil }

    public func clear(_ turn: TurnStart, limit: TimeLimit) async -> HolderReport {
        await clearSecrets(
            connection, limit, takes: { $0.has(schema: "com.microsoft.identity.secret") },
            takesCollection: { _ in false },
            verdict: { $0?.doubts(undated: false).map { HolderReport(name, .unchecked, $0) } })
    }
}

extension SecretCleaning.Found {
    /// Why not all of it is proven clean; nil: it is. What is meant may be of the turn, or what the owner of the terminal put
    /// there: none is deleted, and the row says so.
    ///
    /// - Parameter undated: Items without times are meant too.
    fileprivate func doubts(undated isUndatedMeant: Bool) -> String? {
        var doubts: [String] = []
        if isUndatedMeant, undated > 0 {
            let items = undated == 1 ? "1 item was written, which is" : "\(undated) items were written, which are"
            doubts.append("the service does not say when \(items) left")
        }
        for (unread, noun) in [(unreadItems, "item"), (unreadKeyrings, "keyring")] where !unread.isEmpty {
            let objects = unread.count == 1 ? "1 \(noun), which is" : "\(unread.count) \(noun)s, which are"
            doubts.append("the service does not show \(objects) left")
        }
        guard !doubts.isEmpty else { return nil }
        return ((count == 0 ? [] : ["\(count) removed"]) + doubts).joined(separator: "; ")
    }
}

extension SharedHolder {
    /// - Parameter verdict: What else speaks against a clean end, given what was found; nil: there is no service that could
    ///   show it.
    fileprivate func clearSecrets(
        _ connection: Connection?, _ limit: TimeLimit, takes: @escaping @Sendable (SecretItem) -> Bool,
        takesCollection: @escaping @Sendable (SecretCollection) -> Bool,
        verdict: (SecretCleaning.Found?) -> HolderReport?
    ) async -> HolderReport {
        guard let connection else { return HolderReport(name, .unchecked, "there is no session bus") }
        let cleaning = SecretCleaning(
            connection: connection, limit: limit, takes: takes, takesCollection: takesCollection)
        do {
            // Not started just to be asked: what does not run was not written to.
            guard try await connection.hasOwner(SecretService.busName) else {
                return verdict(nil) ?? HolderReport(name, .clean, "no Secret Service runs")
            }
            var found = try await cleaning.find()
            if found.count > 0 {
                try await cleaning.delete(found)
                let later = try await cleaning.find()
                let left = found.count(leftIn: later)
                if left > 0 {
                    return HolderReport(
                        name, .failed, "\(left) could not be deleted: locked, or the deletion needs a prompt")
                }
                (found.unreadItems, found.unreadKeyrings) = (later.unreadItems, later.unreadKeyrings)
            }
            return verdict(found)
                ?? HolderReport(name, .clean, found.count == 0 ? "" : "\(found.count) removed")
        } catch let stop as SecretCleaning.Stop {
            return HolderReport(name, stop.outcome, stop.explanation)
        } catch {
            return HolderReport(name, .failed, "the session bus does not answer")
        }
    }
}
