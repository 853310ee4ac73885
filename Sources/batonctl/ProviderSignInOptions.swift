import ArgumentParser
import Baton

/// How to sign in at an identity provider.
struct ProviderSignInOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Text.Help.deviceCode))
    var deviceCode = false

    @Flag(help: ArgumentHelp(Text.Help.noBrowser))
    var noBrowser = false

    @Flag(name: .customLong("no-qr"), help: ArgumentHelp(Text.Help.noQR))
    var noQR = false

    @Option(
        help: ArgumentHelp(Text.Help.prompt), completion: .list(SignInPrompt.allCases.map(\.rawValue)),
        transform: prompt(named:))
    var prompt: SignInPrompt?

    @Option(help: ArgumentHelp(Text.Help.maxAge, valueName: "duration"), transform: seconds(in:))
    var maxAge: UInt64?

    @Option(help: ArgumentHelp(Text.Help.loginHint, valueName: "username"))
    var loginHint: String?

    @Option(help: ArgumentHelp(Text.Help.domainHint, valueName: "domain"))
    var domainHint: String?

    @Option(name: .customLong("redirect-uri"), help: ArgumentHelp(Text.Help.redirectURI, valueName: "uri"))
    var redirectURI: String?

    /// The first of them that was given.
    var firstUsed: String? {
        let used = [
            ("--device-code", deviceCode), ("--no-browser", noBrowser), ("--no-qr", noQR), ("--prompt", prompt != nil),
            ("--max-age", maxAge != nil), ("--login-hint", loginHint != nil), ("--domain-hint", domainHint != nil),
            ("--redirect-uri", redirectURI != nil),
        ]
        return used.first(where: \.1)?.0
    }

    /// - Parameter username: What stands on the command line as for a local account; here a hint.
    func signIn(username: String?) throws -> ProviderSignIn {
        if username != nil, loginHint != nil { throw ValidationError(Text.twoLoginHints) }
        return ProviderSignIn(
            deviceCode ? .deviceCode : .browser, redirectURI: redirectURI, prompt: prompt, maxAge: maxAge,
            loginHint: loginHint ?? username, domainHint: domainHint)
    }
}

private func prompt(named name: String) throws -> SignInPrompt {
    guard let prompt = SignInPrompt(rawValue: name) else { throw ValidationError(Text.noSuchPrompt(name)) }
    return prompt
}

/// Whole seconds of a duration as the settings write it.
private func seconds(in text: String) throws -> UInt64 {
    let factors: [Substring: UInt64] = ["s": 1, "min": 60, "h": 3600, "d": 86_400]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = UInt64(digits), let factor = factors[text.dropFirst(digits.count)] else {
        throw ValidationError(Text.noDuration(text))
    }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow, seconds <= 36_500 * 86_400 else { throw ValidationError(Text.noDuration(text)) }
    return seconds
}
