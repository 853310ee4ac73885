import Glibc
import SystemPackage

/// The system bus's policy, which lets no user but `baton` be the supervisor, and the users that it names.
struct PolicyLook {
    /// Where the bus reads policies from.
    var folders = ["/etc/dbus-1/system.d", "/usr/share/dbus-1/system.d", "/usr/local/share/dbus-1/system.d"]
    var userID: (String) -> UInt32? = UserName.id

    static let file = "org.baton.Device1.conf"
    /// What `make install` puts down.
    static var installed: String { String(decoding: PackageResources.org_baton_Device1_conf, as: UTF8.self) }

    func findings() -> [Finding] {
        let missing = ["baton", "kiosk"].filter { userID($0) == nil }
        let users: Finding =
            missing.isEmpty
            ? .ok("users", Text.Doctor.usersAreThere)
            : .wrong("users", Text.Doctor.noUsers(missing), Text.Doctor.makeUsers)
        return [policy, users]
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
            if PolicyRules(text) != rules {
                return .warning("policy", Text.Doctor.policyDiffers(path), Text.Doctor.renewPolicy)
            }
        }
        return .ok("policy", Text.Doctor.policyIsThere(first))
    }
}

/// The rules of a bus policy without what makes no difference: comments, spaces, and what the kiosk's user and group are
/// called.
struct PolicyRules: Equatable {
    private let rules: [String]

    init(_ text: String) {
        rules = Self.withoutComments(text).split(separator: "<").compactMap { tag in
            let words = tag.split(whereSeparator: \.isWhitespace).map { Self.withoutKioskName(String($0)) }
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
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
        for key in ["user=", "group="] where word.hasPrefix(key) {
            let name = word.dropFirst(key.count).prefix { $0 != ">" }.filter { $0 != "\"" }
            if !["baton", "baton-agent", "root", "*"].contains(name) {
                return key + "kiosk" + (word.hasSuffix(">") ? ">" : "")
            }
        }
        return word
    }
}
