import WebText

extension Page {
    static func logout(interaction: String, refreshAfter seconds: Int?) -> String {
        let path = "/logout/confirm"
        let address = FormText.address(path, adding: [("interaction", interaction), ("action", "log-out")])
        let head = seconds.map { "<meta http-equiv=\"refresh\" content=\"\($0);url=\(escape(address))\">\n" } ?? ""
        return document(
            "Sign out?", head: head,
            form(
                path, hidden: [("interaction", interaction)],
                buttons: [
                    Button(action: "log-out", label: "Sign out", isMain: true),
                    Button(action: "cancel", label: "Stay signed in"),
                ]))
    }

    /// Tells the clients through invisible frames (OpenID Connect Front-Channel Logout) and goes on by itself.
    static func loggedOut(frames: [String], redirect: String?) -> String {
        let head =
            redirect.map { "<meta http-equiv=\"refresh\" content=\"\(frames.isEmpty ? 0 : 2);url=\(escape($0))\">\n" }
            ?? ""
        var content = "<p>You are signed out.</p>\n"
        for frame in frames { content += "<iframe title=\"Signing out\" src=\"\(escape(frame))\"></iframe>\n" }
        if let redirect { content += "<p><a href=\"\(escape(redirect))\">Continue</a></p>\n" }
        return document("Signed out", head: head, content)
    }

    /// Sends the answer as a form (OAuth 2.0 Form Post Response Mode); without script it needs a click.
    static func formPost(_ address: String, _ pairs: [(name: String, value: String)]) -> String {
        document(
            "Continue", form(address, hidden: pairs, buttons: [Button(action: "", label: "Continue", isMain: true)])
        )
    }
}
