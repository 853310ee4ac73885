import FolderTesting

/// The settings file of a Glewlwyd, and what must lie beside it.
struct GlewlwydSettings {
    var port: UInt16
    var origin: String
    var folder: String
    var certificateAuthority: TestCertificateAuthority?

    private static let schema = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
    private static let shared = "/usr/share/glewlwyd"

    /// Makes the database and the pages. Debian's pages have a link that the server does not follow.
    static func prepare(_ folder: TemporaryFolder) async throws {
        let path = folder.path
        try await run(["sqlite3", "\(path)/glewlwyd.db", "PRAGMA synchronous=OFF", ".read \(schema)"])
        try await run(["cp", "--recursive", "\(shared)/webapp", "\(path)/webapp"])
        try await run(["rm", "\(path)/webapp/config.json"])
        try await run(["cp", "\(shared)/templates/config.json", "\(path)/webapp/config.json"])
    }

    var text: String {
        // Without certificates the line about a secure connection must not be there at all, or the server stops.
        let secure =
            certificateAuthority.map { authority in
                """
                use_secure_connection=true
                secure_connection_key_file="\(authority.keyFile)"
                secure_connection_pem_file="\(authority.certificateFile)"
                secure_connection_ca_file="\(authority.caFile)"
                cookie_secure=1
                """
            } ?? "cookie_secure=0"
        let types = [
            ("html", "text/html"), ("css", "text/css"), ("js", "application/javascript"), ("json", "application/json"),
            ("png", "image/png"), ("ico", "image/x-icon"), ("woff2", "font/woff2"), ("woff", "font/woff"),
        ].map { #"{ extension=".\#($0)" mime_type="\#($1)" }"# }
        return """
            port=\(port)
            bind_address="127.0.0.1"
            external_url="\(origin)"
            \(secure)
            cookie_same_site="empty"
            login_url="login.html"
            api_prefix="api"
            static_files_path="\(folder)/webapp"
            static_files_mime_types=(\(types.joined(separator: ", ")))
            log_mode="console"
            log_level="INFO"
            session_expiration=86400
            session_key="GLEWLWYD2_SESSION_ID"
            admin_session_authentication="cookie"
            profile_session_authentication="cookie"
            allow_multiple_user_per_session=true
            login_api_enabled=true
            max_post_size=16778240
            admin_scope="g_admin"
            profile_scope="g_profile"
            user_module_path="/usr/lib/glewlwyd/user"
            client_module_path="/usr/lib/glewlwyd/client"
            user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
            plugin_module_path="/usr/lib/glewlwyd/plugin"
            hash_algorithm="SHA512"
            database={ type="sqlite3" path="\(folder)/glewlwyd.db" };

            """
    }
}
