import WebText

/// Where each kind of provider has its endpoints.
struct Layout: Sendable {
    let kind: ProviderKind

    /// The paths of the standards' endpoints; `{tenant}` and `{policy}` stand for a segment.
    private var protocolPaths: [Endpoint: String] {
        switch kind {
        case .openid:
            [
                .discovery: "/.well-known/openid-configuration", .keys: "/jwks", .authorize: "/authorize",
                .pushedAuthorization: "/par", .token: "/token", .deviceAuthorization: "/device_authorization",
                .userinfo: "/userinfo", .revoke: "/revoke", .logout: "/logout",
            ]
        case .entra, .external:
            [
                .discovery: "/{tenant}/v2.0/.well-known/openid-configuration",
                .keys: "/{tenant}/discovery/v2.0/keys", .authorize: "/{tenant}/oauth2/v2.0/authorize",
                .token: "/{tenant}/oauth2/v2.0/token", .deviceAuthorization: "/{tenant}/oauth2/v2.0/devicecode",
                .userinfo: "/oidc/userinfo", .logout: "/{tenant}/oauth2/v2.0/logout",
            ]
        case .b2c:
            [
                .discovery: "/{tenant}/{policy}/v2.0/.well-known/openid-configuration",
                .keys: "/{tenant}/{policy}/discovery/v2.0/keys",
                .authorize: "/{tenant}/{policy}/oauth2/v2.0/authorize",
                .token: "/{tenant}/{policy}/oauth2/v2.0/token", .logout: "/{tenant}/{policy}/oauth2/v2.0/logout",
            ]
        case .adfs:
            [
                .discovery: "/adfs/.well-known/openid-configuration", .keys: "/adfs/discovery/keys",
                .authorize: "/adfs/oauth2/authorize", .token: "/adfs/oauth2/token",
                .deviceAuthorization: "/adfs/oauth2/devicecode", .userinfo: "/adfs/userinfo",
                .logout: "/adfs/oauth2/logout",
            ]
        }
    }

    private static let pagePaths: [Endpoint: String] = [
        .deviceUser: "/device", .deviceSignIn: "/device/login", .signIn: "/login", .selection: "/select-account",
        .creation: "/create-account", .consent: "/consent", .logoutConfirmation: "/logout/confirm", .me: "/me",
    ]

    func has(_ endpoint: Endpoint) -> Bool {
        protocolPaths[endpoint] != nil || Self.pagePaths[endpoint] != nil || endpoint == .control
    }

    /// The path of an endpoint; nil when this kind of provider has none.
    func path(_ endpoint: Endpoint, beside route: Route) -> String? {
        guard let template = protocolPaths[endpoint] ?? Self.pagePaths[endpoint] else { return nil }
        return template.split(separator: "/").map { segment in
            switch segment {
            case "{tenant}": "/" + FormText.escaped(route.tenant ?? "common")
            case "{policy}": "/" + FormText.escaped(route.policy ?? "b2c_1_sign_in")
            default: "/" + segment
            }
        }.joined()
    }

    /// Finds the endpoint of a path; nil: there is nothing.
    func route(_ path: String) -> Route? {
        var segments = path.split(separator: "/", omittingEmptySubsequences: true).map { FormText.lenientSegment($0) }
        if segments.first == "control" {
            return Route(endpoint: .control, rest: segments.dropFirst().joined(separator: "/"))
        }
        if segments == ["v1.0", "me"] { return Route(endpoint: .me) }
        if kind == .b2c, segments.first == "tfp" { segments.removeFirst() }
        for (endpoint, template) in Self.pagePaths {
            if let route = Self.match(template, segments, endpoint) { return route }
        }
        for (endpoint, template) in protocolPaths {
            if let route = Self.match(template, segments, endpoint) { return route }
        }
        // The older address, which some of Microsoft's own pages use.
        return kind == .entra ? Self.match("/{tenant}/oauth2/logout", segments, .logout) : nil
    }

    private static func match(_ template: String, _ segments: [String], _ endpoint: Endpoint) -> Route? {
        let pattern = template.split(separator: "/")
        guard pattern.count == segments.count else { return nil }
        var route = Route(endpoint: endpoint)
        for (expected, found) in zip(pattern, segments) {
            switch expected {
            case "{tenant}": route.tenant = found
            case "{policy}": route.policy = found
            default: guard expected == found else { return nil }
            }
        }
        return route
    }
}
