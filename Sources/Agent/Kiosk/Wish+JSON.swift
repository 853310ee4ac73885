import FoundationEssentials

extension StartPageServer.Wish {
    private struct Fields: Decodable {
        var wish: String
        var username: String?
        var tile: String?
        var pin: String?
        var app: String?
        var member: String?
    }

    /// Nil for anything but what the start page sends.
    init?(_ body: String) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body.utf8)) else { return nil }
        switch fields.wish {
        case "sign-in":
            guard let pin = fields.pin, pin.utf8.count <= 256 else { return nil }
            if let tile = fields.tile {
                self = .signInAgain(tile: tile, pin: pin)
            } else if let username = fields.username, !username.isEmpty, username.utf8.count <= 256 {
                self = .signIn(username: username, pin: pin)
            } else {
                return nil
            }
        case "sign-in-at-provider": self = .signInAtProvider
        case "sign-in-with-phone": self = .signInWithPhone
        case "cancel-sign-in": self = .cancelSignIn
        case "sign-out": self = .signOut
        case "lock":
            let pin = fields.pin ?? ""
            guard pin.utf8.count <= 256 else { return nil }
            self = .lock(pin: pin)
        case "lock-without-pin": self = .lockWithoutPIN
        case "stay-signed-in": self = .staySignedIn
        case "open":
            guard let app = fields.app, !app.isEmpty, app.utf8.count <= 255 else { return nil }
            self = .open(app: app)
        case "ask":
            guard let query = fields.member.flatMap({ DeveloperQuery(rawValue: $0) }) else { return nil }
            self = .ask(query)
        default: return nil
        }
    }
}
