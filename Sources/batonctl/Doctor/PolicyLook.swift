import Glibc
import SystemPackage

/// The system bus's policy, which lets no user but `baton` be the supervisor, and the users that it names.
struct PolicyLook {
    /// Where the bus reads policies from.
    var folders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d", "/usr/local/share/dbus-1/system.d"]
    /// The users that the units name.
    var users = ["baton", "kiosk"]
    var userID: (String) -> UInt32? = UserName.id
    var groupID: (String) -> UInt32? = UserName.idOfGroup
    var isMember: (_ user: String, _ group: String) -> Bool = { UserName.isMember($0, of: $1) }

    static let file = "org.baton.Device1.conf"
    /// The group of administrators beside root, whom the bus lets through.
    static let administrators = "baton-admins"
    /// What `make install` puts down.
    static var installed: String { String(decoding: PackageResources.org_baton_Device1_conf, as: UTF8.self) }

    func findings() -> [Finding] {
        let missing = users.filter { userID($0) == nil }
        guard missing.isEmpty else {
            return [policy, .wrong("users", Text.Doctor.noUsers(missing), Text.Doctor.makeUsers)]
        }
        guard groupID(Self.administrators) != nil else {
            return [policy, .wrong("users", Text.Doctor.noAdministratorsGroup, Text.Doctor.makeAdministratorsGroup)]
        }
        return [policy, .ok("users", users.joined(separator: " and "))]
    }

    /// The bus obeys all of them, so each is looked at.
    private var policy: Finding {
        let paths: [String] = folders.map { "\($0)/\(Self.file)" }
        let found = paths.filter { access($0, F_OK) == 0 }
        guard let first = found.first else {
            return .wrong("policy", Text.Doctor.noPolicy(Self.file), Text.Doctor.installPolicy)
        }
        let rules = PolicyRules(Self.installed)
        for path in found {
            guard let text = try? TextFile.read(FilePath(path)) else {
                return .wrong("policy", Text.Doctor.policyIsHidden(path), "chmod 0644 \(path)")
            }
            let own = PolicyRules(text)
            if own != rules { return .warning("policy", Text.Doctor.policyDiffers(path), Text.Doctor.renewPolicy) }
            if let kiosk = users.last, let fault = fault(kiosk, own.kioskGroup, path) { return fault }
        }
        return .ok("policy", Text.Doctor.policyIsThere(first))
    }
}

extension PolicyLook {
    /// The session's calls come from that user, and the bus lets a group through.
    private func fault(_ kiosk: String, _ group: String?, _ path: String) -> Finding? {
        guard let group, userID(kiosk) != nil else { return nil }
        guard groupID(group) != nil else {
            return .wrong("policy", Text.Doctor.noGroup(group, path), Text.Doctor.makeGroup(group, kiosk))
        }
        guard !isMember(kiosk, group) else { return nil }
        return .wrong("policy", Text.Doctor.notInGroup(kiosk, group, path), Text.Doctor.joinGroup(group, kiosk))
    }
}

/// The rules of a bus policy without what makes no difference: comments, spaces, and what the kiosk's user and group are
/// called.
struct PolicyRules: Equatable {
    private let rules: [String]
    /// What the group is called here that may call batond; no part of what is compared.
    let kioskGroup: String?

    static func == (left: Self, right: Self) -> Bool { left.rules == right.rules }

    init(_ text: String) {
        var group: String?
        rules = Self.withoutComments(text).split(separator: "<").compactMap { tag in
            let words = tag.split(whereSeparator: \.isWhitespace).map { word in
                if group == nil { group = Self.kioskName(word, "group=") }
                return Self.withoutKioskName(String(word))
            }
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
        kioskGroup = group
    }

    private static func withoutComments(_ text: String) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.firstRange(of: "<!--") {
            result += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            // Without an end all that follows is a comment.
            rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        }
        return result + rest
    }

    private static func withoutKioskName(_ word: String) -> String {
        for key in ["user=", "group="] where kioskName(word[...], key) != nil {
            return key + "kiosk" + (word.hasSuffix(">") ? ">" : "")
        }
        return word
    }

    private static func kioskName(_ word: Substring, _ key: String) -> String? {
        guard word.hasPrefix(key) else { return nil }
        let name = word.dropFirst(key.count).prefix { $0 != ">" }.filter { $0 != "\"" }
        return ["baton", "baton-admins", "baton-agent", "baton-workers", "root", "*"].contains(name) ? nil : name
    }
}
