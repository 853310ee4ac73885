import Baton
import Presentation
import Synchronization
import Vocabulary

/// What workers read, in the language of the terminal; all else is in English.
extension Text {
    private static let chosen = Mutex(Language.english)

    static var language: Language { chosen.withLock(\.self) }

    /// For the whole of this process.
    static func speak(_ language: Language) { chosen.withLock { $0 = language } }

    private static var words: CommandTexts { .of(language) }

    static func worker(_ text: KeyPath<CommandTexts, String>, _ values: [String: String] = [:])
        -> String
    {
        WorkerTexts.filled(words[keyPath: text], values)
    }

    static func signedIn(_ account: Account, epoch: Epoch) -> String {
        worker(\.signedIn, ["name": person(account), "turn": "\(epoch)"])
    }
    static var signInCancelled: String { worker(\.signInCancelled) }
    static var askPIN: String { worker(\.askPIN) }
    static var askNewPIN: String { worker(\.askNewPIN) }
    static var askPINAgain: String { worker(\.askPINAgain) }
    static var differentPINs: String { worker(\.differentPINs) }
    static var emptyPIN: String { worker(\.emptyPIN) }
    static func shortPIN(_ least: Int) -> String { worker(\.shortPIN, ["least": "\(least)"]) }
    static var longPIN: String { worker(\.longPIN) }
    static var noTerminal: String { worker(\.noTerminal) }
    static var pinFailed: String { worker(\.pinFailed) }
    static var keptSignedIn: String { worker(\.keptSignedIn) }
    static var locked: String { worker(\.locked) }
    static var unlocked: String { worker(\.unlocked) }
    static var choosePIN: String { worker(\.choosePIN) }

    /// The worker was refused: what batond says is in English, and what the start page says is not.
    static func refusal(_ error: BatonError) -> String {
        language == .english ? failure(error) : WorkerTexts.of(language).wrongPIN
    }

    // MARK: At the provider

    static var signInBegins: String { worker(\.signInBegins) }
    static var pageOpens: String { worker(\.pageOpens) }
    static var openPage: String { worker(\.openPage) }
    static var agentOpens: String { worker(\.agentOpens) }
    static var useOtherDevice: String { worker(\.useOtherDevice) }
    static var signInWaits: String { worker(\.signInWaits) }
    static var pageNotOpened: String { worker(\.pageNotOpened) }
    static var noQRCode: String { worker(\.noQRCode) }
    static func narrowForQRCode(_ columns: Int) -> String {
        worker(\.narrowForQRCode, ["columns": "\(columns)"])
    }
    static func timeLeft(_ seconds: UInt64) -> String {
        guard seconds > 0 else { return worker(\.codeExpired) }
        let rest = seconds % 60
        return worker(\.timeLeft, ["time": "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"])
    }

    // MARK: The state

    static func phase(_ phase: Phase) -> String {
        switch phase {
        case .ready: worker(\.phaseReady)
        case .signingIn: worker(\.phaseSigningIn)
        case .inUse: worker(\.phaseInUse)
        case .clearing: worker(\.phaseClearing)
        case .quarantined: worker(\.phaseQuarantined)
        }
    }

    static func modeOfStatus(_ mode: DeviceMode) -> String {
        switch mode {
        case .shared: worker(\.modeShared)
        case .personal: worker(\.modePersonal)
        case .unknown: worker(\.modeUnknown)
        }
    }

    static func outcomeSentence(_ outcome: Outcome) -> String {
        switch outcome {
        case .cleared: worker(\.cleared)
        case .owed: worker(\.owed)
        case .contained: worker(\.contained)
        case .quarantined: worker(\.quarantined)
        }
    }

    static var nothingToSignOut: String { worker(\.nothingToSignOut) }
    static var signOutGoesOn: String { worker(\.signOutGoesOn) }
}

extension Language {
    /// The language of messages that the environment asks for (locale(7)). Without one of those that there are, or with an encoding that
    /// has not all letters, it is English.
    init(environment: [String: String]) {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            ?? ""
        let encoding = locale.split(separator: ".").dropFirst().first?.prefix { $0 != "@" } ?? ""
        let isUnicode = encoding.isEmpty || ["utf-8", "utf8"].contains(encoding.lowercased())
        self = isUnicode ? Language(locale: locale) ?? .english : .english
    }
}
