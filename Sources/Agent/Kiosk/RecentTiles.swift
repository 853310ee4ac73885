import BatonContract
import Vocabulary

/// The workers of the last turns, as the page of a free device offers them: by names that say nothing, so that the page knows no more
/// than it shows.
struct RecentTiles: Sendable {
    struct Tile: Sendable, Equatable, Encodable {
        let key: String
        let label: String
    }

    /// More would be a list to look through.
    static let most = 6
    /// Turns to look for them in.
    static let depth: UInt32 = 30

    private var usernames: [String: String] = [:]

    /// - Parameter accounts: Of the last turns, the newest first.
    mutating func tiles(of accounts: [Account], _ recent: RecentWorkers) -> [Tile] {
        guard recent != .off else {
            usernames = [:]
            return []
        }
        var seen: Set<String> = []
        let workers = accounts.filter {
            $0.environment == "local" && !$0.username.isEmpty && seen.insert($0.username).inserted
        }.prefix(Self.most)
        // The same key as before, or a page would lose what a person has chosen there.
        let known = Dictionary(usernames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        usernames = [:]
        return workers.map { account in
            let key = known[account.username] ?? Self.newKey()
            usernames[key] = account.username
            let name = account.name.isEmpty ? account.username : account.name
            return Tile(key: key, label: recent == .names ? name : Self.initials(name))
        }
    }

    /// Nil: there is no such tile, or none any more.
    func username(of key: String) -> String? { usernames[key] }

    static func initials(_ name: String) -> String {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        return letters.isEmpty ? "?" : String(letters).uppercased()
    }

    private static func newKey() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }
}
