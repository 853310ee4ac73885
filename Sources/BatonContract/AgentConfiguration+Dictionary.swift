import DBus
import Vocabulary

extension AgentConfiguration {
    public static let fields: [MessageField<Self>] = [
        .message("browser", \.browser),
        .message("start-page", \.startPage),
        .message("desktop", \.desktop),
        .messages("apps", \.apps, atMost: .max),
        .words("holders", \.holders, "the holders to clear"),
        .word("stray-processes", \.strayProcesses),
        .word("stray-files", \.strayFiles),
        .value("keep", \.keep, "never taken for strays"),
        .duration("idle-after", \.idleAfter, "without input for so long, the agent calls Idle; 0: never"),
        .value("accept-weak-proof", \.acceptsWeakProof),
    ]
}

extension AgentConfiguration.ManagedBrowser {
    public static let fields: [MessageField<Self>] = [
        .word("kind", \.kind),
        .value("executable", \.executable),
        .value("start-page", \.startPage),
        .value("address", \.address),
        .value("allow", \.allow),
        .value("sign-in-pages", \.signInPages),
        .duration("left-after", \.leftAfter),
        .duration("start-limit", \.startLimit),
        .required("enforced", \.isSignOutEnforced),
        .required("spare", \.hasSpare),
        .value("turn-user", \.hasTurnUser, "it runs as the turn's user, which PrepareTurn and BeginTurn name"),
        .value("session-cookie", \.sessionCookie),
        .value("arguments", \.arguments),
    ]
}

extension AgentConfiguration.StartPage {
    public static let fields: [MessageField<Self>] = [
        .wordOrDefault("language", \.language, "where a worker's own is not known: en, de, hu, cs, pl, ru"),
        .value("name", \.name, "what the terminal is called"),
        .value("logo", \.logo, "the path of a picture"),
        .value("accent", \.accent, "#rrggbb"),
        .value("contact", \.contact, "whom to call when the terminal is out of service"),
        .value("phone", \.offersPhone, "workers may sign in with another device"),
        .wordOrDefault("recent", \.recent, "what a free device shows of the workers before: off, initials, names"),
        .wordOrDefault("keyboard", \.keyboard, "keys on the page: auto, on, off"),
        .wordOrDefault(
            "bar", \.bar,
            "above a worker's pages and apps: off, top-left, top, top-right, bottom-left, bottom, bottom-right"),
        .value("developer", \.isForDevelopers, "the page shows calls, the account and a log"),
    ]
}

extension AgentConfiguration.Desktop {
    public static let fields: [MessageField<Self>] = [
        .value("command", \.command, "each turn's own; empty: the session has one"),
        .value("home", \.home, "a folder whose files the home begins with"),
        .value("keyboards", \.keyboardPairs, "LOCALE=LAYOUT, such as de=de or de_ch=ch(fr)"),
        .value("own-keyboards", \.hasOwnKeyboards, "accounts have layouts of their own"),
    ]

    private var keyboardPairs: [String] {
        get { keyboards.pairs.map { "\($0.locale)=\($0.layout.text)" } }
        set {
            keyboards = KeyboardsByLocale()
            for pair in newValue {
                guard let sign = pair.firstIndex(of: "="),
                    let layout = KeyboardLayout(String(pair[pair.index(after: sign)...]))
                else { continue }
                _ = keyboards.add(String(pair[..<sign]), layout)
            }
        }
    }
}

extension AgentConfiguration.ManagedApp {
    public static let fields: [MessageField<Self>] = [
        .required("id", \.id),
        .value("name", \.name),
        .required("command", \.command),
        .value("environment", \.environmentPairs, "NAME=VALUE"),
        .required("sandbox", \.isSandboxed),
        .value("keep", \.keep),
        .value("read-only", \.readOnly),
        .value("wipe", \.wipe),
        .value("session-bus", \.hasSessionBus, "it has a session bus of its own, which ends with it"),
        .value("autostart", \.startsAtSignIn),
        .value("must-participate", \.mustParticipate),
        .value("icon", \.icon),
    ]

    private var environmentPairs: [String] {
        get { environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
        set {
            environment = [:]
            for pair in newValue {
                guard let sign = pair.firstIndex(of: "=") else { continue }
                environment[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
            }
        }
    }
}
