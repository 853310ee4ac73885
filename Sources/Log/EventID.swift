/// The kinds of events in the log. `journalctl MESSAGE_ID=…` finds them by these ids, whatever the words of the line are.
///
/// An id was made at random, once, and never becomes another event's.
public enum EventID: String, CaseIterable, Sendable {
    /// batond owns its name: it answers.
    case ready = "b5a21e7abcc12e99382e6165adcf1fe9"
    /// batond has stopped as it was told to.
    case stopped = "c18733059eb21150aa6576b3cf7cfe33"
    /// A worker has taken the device.
    case signedIn = "084c76363c9cb13825bccfb0ab83f526"
    /// A sign-out has begun.
    case signingOut = "04072905ce36a12a5bbc4947ba07e1b3"
    /// A sign-out has ended, with its outcome.
    case signedOut = "0f33c14babfad4f7c5db8074c3590853"
    /// An app did not confirm that it cleared: contained, owed or unproven.
    case appOutcome = "02770cb4c4ec3e6ed4b5885dfe88139a"
    /// A caller acknowledged what is not its own, or at the wrong time.
    case acknowledgementRefused = "92b6a63945b209e3518c9219e57d718f"
    /// An app spoke in the agent's place.
    case impostor = "95cdcf756f627453f6b94b2fb152a6f6"
    /// A process calls beyond measure: it floods the bus, makes one mistake after the other, or never waits for an answer.
    case misuse = "b4bd17870b92c244a8e638b46d1ae244"
    /// No worker can sign in until what is missing was made up for.
    case quarantined = "116ab9df5a1f8a6af9f4f587cb2a913e"
    /// A quarantine has ended.
    case released = "b4bd54747e457c4ed86580f530904cf5"
    /// The agent is there.
    case agentRegistered = "c204e39458cd8d24299749f6378b09c1"
    /// The agent has left, or is away when it is needed.
    case agentAway = "0c1d16e7fd453b71fdcf4c7f3591ebf8"
    /// The journal cannot be read or written.
    case journalFault = "52e39cff56b67aa90b988c073c1ddbb7"
    /// The journal can be written again.
    case journalRecovered = "1a563838d4d91ef81939be9109d2b4ee"
    /// The settings were read anew.
    case settingsTaken = "ad54dbf2d6c9a8b4cd6cb35c6a0673d3"
    /// Settings or an app's file cannot be used.
    case settingsFault = "85b2062555bf49f5cc510e3cb857519f"
    /// An app was given a token of the worker.
    case tokenGiven = "51a27b5b32ab0c37e623338a069cd6dd"
    /// A sign-in at the provider failed.
    case signInFailed = "feecf70294e4ee8a46ee7dd63814313d"
    /// The identity provider cannot be reached, or refuses.
    case providerAway = "b30203e908dbf175dd6f63d0be0a7647"
    /// The identity provider is there again.
    case providerBack = "7f78b49940c7f360bda758f52a531236"
    /// A user name or PIN was wrong.
    case wrongPIN = "e16f6ffc67b7e63f24c4a0f8d47fdec0"
    /// An account is locked after wrong PINs.
    case accountLocked = "3e3e153355aab97691524e9d26b98ab0"
    /// The level of this log was changed at run time.
    case logLevelChanged = "bdcd9395b0bf1b5440a08692726feed3"
    /// The screen is locked, or could not be covered for it.
    case screenLocked = "d686191d86b70e11bbd32f7597630509"
    /// The worker is back at the locked screen.
    case screenUnlocked = "28e7d24b63c616fbcd54cf6a7ff65094"
    /// A PIN at the locked screen was wrong.
    case unlockRefused = "7a122733efe2f7a02036b336dd3ac731"
    /// An administrator ended a quarantine, or had an unreadable journal moved aside.
    case quarantineReset = "8f62afd3b42ff52ef5e71b6c371f4a92"
    /// An administrator had it forgotten what an app owes.
    case appForgotten = "f7fea06730bcac57affe2c72d58cecb1"
    /// An administrator set the mode.
    case modeSet = "2e8a765f4f83c0e24859605e5982b037"
    /// The settings were to be read anew.
    case reloadAsked = "8bd22308cfbbfc4c736aa08736d20cb8"
    /// A local account was added, changed or removed.
    case accountChanged = "1b63b56b21f97ebf290b59cc6c12e507"
    /// An administrator had the wrong PINs of an account forgotten.
    case accountUnlocked = "90a025ab579179a22341559b08356662"
    /// An administrator signed the worker out.
    case signedOutByAdministrator = "73c1de0e139efab0d59da322767691ec"
    /// A call came to an unexpected end.
    case callFailed = "f162651c1fa7e0eb5bdfb07533e9bb61"
}
