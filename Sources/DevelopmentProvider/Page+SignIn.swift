extension Page {
    private static func credentials(_ username: String) -> [Field] {
        [
            Field(name: "username", label: "User name", value: username, autocomplete: "username"),
            Field(name: "password", label: "Password", type: "password", autocomplete: "current-password"),
        ]
    }

    static func signIn(interaction: String, client: String, username: String, alert: String? = nil) -> String {
        document(
            "Sign in",
            Self.alert(alert) + "<p>to continue to <strong>\(escape(client))</strong></p>\n"
                + form(
                    "/login", hidden: [("interaction", interaction)], fields: credentials(username),
                    buttons: [
                        Button(action: "sign-in", label: "Sign in", isMain: true),
                        Button(action: "cancel", label: "Cancel"),
                    ]))
    }

    static func selection(interaction: String, account: DevelopmentAccount) -> String {
        document(
            "Choose an account",
            form(
                "/select-account", hidden: [("interaction", interaction)],
                buttons: [
                    Button(action: "continue", label: "\(account.name) (\(account.username))", isMain: true),
                    Button(action: "other", label: "Use another account"), Button(action: "cancel", label: "Cancel"),
                ]))
    }

    static func creation(interaction: String, alert: String? = nil) -> String {
        document(
            "Create an account",
            Self.alert(alert)
                + form(
                    "/create-account", hidden: [("interaction", interaction)],
                    fields: [
                        Field(name: "username", label: "User name", autocomplete: "username"),
                        Field(name: "name", label: "Your name", autocomplete: "name"),
                        Field(
                            name: "email", label: "Mail address", type: "email", autocomplete: "email",
                            isRequired: false),
                        Field(name: "password", label: "Password", type: "password", autocomplete: "new-password"),
                    ],
                    buttons: [
                        Button(action: "create", label: "Create", isMain: true),
                        Button(action: "cancel", label: "Cancel"),
                    ]))
    }

    static func consent(interaction: String, client: String, account: String, scopes: [String]) -> String {
        let items = scopes.map { "<li>\(escape($0))</li>" }.joined()
        return document(
            "Allow access?",
            "<p><strong>\(escape(client))</strong> asks, as \(escape(account)), for:</p>\n<ul>\(items)</ul>\n"
                + form(
                    "/consent", hidden: [("interaction", interaction)],
                    buttons: [
                        Button(action: "accept", label: "Allow", isMain: true), Button(action: "deny", label: "Deny"),
                    ]))
    }

    static func userCode(_ code: String, alert: String? = nil) -> String {
        document(
            "Connect a device",
            Self.alert(alert)
                + form(
                    "/device", fields: [Field(name: "user_code", label: "The code that the device shows", value: code)],
                    buttons: [Button(action: "next", label: "Next", isMain: true)]))
    }

    static func deviceSignIn(_ code: String, username: String = "", alert: String? = nil) -> String {
        document(
            "Sign in to connect a device",
            Self.alert(alert) + "<p>The code is <strong>\(escape(code))</strong>.</p>\n"
                + form(
                    "/device/login", hidden: [("user_code", code)], fields: credentials(username),
                    buttons: [
                        Button(action: "sign-in", label: "Sign in", isMain: true),
                        Button(action: "deny", label: "This is not my device"),
                    ]))
    }

    static func deviceApproval(_ code: String, client: String, account: String) -> String {
        document(
            "Connect this device?",
            "<p>Does <strong>\(escape(client))</strong> show <strong>\(escape(code))</strong>? "
                + "It will be signed in as \(escape(account)).</p>\n"
                + form(
                    "/device", hidden: [("user_code", code)],
                    buttons: [
                        Button(action: "approve", label: "Yes, connect it", isMain: true),
                        Button(action: "deny", label: "No"),
                    ]))
    }
}
