/// Whether the device is shared. `unknown` is what a client says when the daemon cannot be asked; treat it as shared.
public enum DeviceMode: String, Hashable, Sendable, Codable, CaseIterable {
    case shared
    case personal = "default"
    case unknown
}

/// Where the device stands.
public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    case ready
    case signingIn = "signing-in"
    case inUse = "in-use"
    case clearing
    case quarantined
}

/// Why a turn ends.
public enum SignOutReason: String, Hashable, Sendable, Codable, CaseIterable {
    case user, browser, idle, expired, administrator, provider, sleep, shutdown
    case agentLost = "agent-lost"
    case recovery
}

/// How a sign-out ended; a worse outcome is greater.
public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Every app said that it cleared.
    case cleared
    /// An app is gone without a word; it must clear before it gets anything.
    case owed
    /// An app did not answer; it was stopped and its data wiped.
    case contained
    /// Something could not be proven; nobody can sign in.
    case quarantined

    public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What an app says of its clearing.
public enum AcknowledgementOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    case cleared
    case nothingToClear = "nothing-to-clear"
    /// The app could not clear and asks to be contained.
    case failed
}

/// How a worker signs in at an identity provider.
public enum SignInMethod: String, Hashable, Sendable, Codable, CaseIterable {
    /// In a browser on this device.
    case browser
    /// On any other device, with a code that this one shows.
    case deviceCode = "device-code"
}

/// What the provider shall ask of a worker whose app wants a token (Microsoft's prompt types).
public enum TokenPrompt: String, Hashable, Sendable, Codable, CaseIterable {
    /// Only what the provider finds necessary; the default.
    case ifNecessary = "if-necessary"
    case selectAccount = "select-account"
    case login, consent, create
}

/// What the provider shall ask of the worker, whether it knows them or not (OpenID Connect Core, section 3.1.2.1).
public enum SignInPrompt: String, Hashable, Sendable, Codable, CaseIterable {
    case selectAccount = "select-account"
    case login, consent, create
}
