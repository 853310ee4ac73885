public import Vocabulary

/// What workers read from `batonctl`, in one language. Each text has to be in each: one that is missing does not compile.
///
/// `{name}` and the like stand for what `WorkerTexts.filled` puts there. English is what programs may have been written to read, so it
/// stays as it is.
public struct CommandTexts: Sendable, Hashable, Encodable {
    // In place of a worker's name.
    public let none: String
    // Signing in.
    /// `{name}` and `{turn}`.
    public let signedIn: String
    public let signInCancelled: String
    public let askPIN: String
    public let askNewPIN: String
    public let askPINAgain: String
    public let differentPINs: String
    public let emptyPIN: String
    /// `{least}`
    public let shortPIN: String
    public let longPIN: String
    public let noTerminal: String
    public let pinFailed: String
    public let signInBegins: String
    public let pageOpens: String
    public let openPage: String
    public let agentOpens: String
    public let useOtherDevice: String
    public let address: String
    public let code: String
    public let signInWaits: String
    public let pageNotOpened: String
    public let noQRCode: String
    /// `{columns}`
    public let narrowForQRCode: String
    /// `{time}`
    public let timeLeft: String
    public let codeExpired: String
    // In the turn.
    public let keptSignedIn: String
    public let locked: String
    public let unlocked: String
    public let choosePIN: String
    // Signing out.
    public let nothingToSignOut: String
    public let signOutGoesOn: String
    public let cleared: String
    public let owed: String
    public let contained: String
    public let quarantined: String
    // The first lines of the state.
    public let device: String
    public let mode: String
    public let phase: String
    public let why: String
    public let holder: String
    public let screen: String
    public let modeShared: String
    public let modePersonal: String
    public let modeUnknown: String
    public let notShared: String
    public let phaseReady: String
    public let phaseSigningIn: String
    public let phaseInUse: String
    public let phaseClearing: String
    public let phaseQuarantined: String
    /// `{why}`
    public let notReady: String
    /// `{apps}`
    public let waitingFor: String
    /// `{time}`
    public let since: String
    /// `{turn}`
    public let turn: String
    /// `{seconds}`
    public let isLocked: String
    /// `{seconds}`
    public let signsOut: String

    public static func of(_ language: Language) -> CommandTexts {
        switch language {
        case .english: .english
        case .german: .german
        case .hungarian: .hungarian
        case .czech: .czech
        case .polish: .polish
        case .russian: .russian
        }
    }
}
