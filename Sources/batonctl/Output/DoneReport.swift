/// The JSON of `keep-signed-in`.
struct KeptReport: Encodable {
    var kept = true
}

/// The JSON of `lock` and `unlock`.
struct LockReport: Encodable {
    var locked: Bool
}

/// The JSON of `apps forget`.
struct ForgottenReport: Encodable {
    struct App: Encodable, Hashable {
        var uid: UInt32
        var app: String
    }

    var forgotten: [App]
}

/// The JSON of `account add`, `remove` and `set-pin`.
struct AccountChangeReport: Encodable {
    var username: String
    var file: String
    /// What became of batond's reading the file again, for people.
    var reload: String
}

/// The JSON of `hash-pin`.
struct HashReport: Encodable {
    var hash: String
}

/// The JSON of `handle-url`.
struct MatchedReport: Encodable {
    var matched: Bool
}

/// The JSON of `apps install-scheme`: what was done, a line each.
struct SchemesReport: Encodable {
    var done: [String]
}
