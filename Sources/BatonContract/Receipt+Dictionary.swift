public import DBus
internal import Vocabulary

extension Receipt {
    /// Nil for an empty dictionary: there was nothing to sign out. What a newer daemon adds is ignored, what is missing
    /// is empty, and an outcome that is not known counts as the worst.
    public init?(_ dictionary: VariantDictionary) {
        guard let epoch = dictionary["epoch"].flatMap(Epoch.init) else { return nil }
        func text(_ key: String) -> String { dictionary[key]?.string ?? "" }
        func rows<Row>(_ key: String, _ make: (VariantDictionary) -> Row) -> [Row] {
            (dictionary[key]?.dictionaries ?? []).map(make)
        }
        self.init(
            epoch: epoch, journalID: text("journal-id"), account: Account(dictionary["account"]?.dictionary ?? [:]),
            reason: SignOutReason(rawValue: text("reason")) ?? .user, started: dictionary["started"]?.int64 ?? 0,
            ended: dictionary["ended"]?.int64 ?? 0, milliseconds: dictionary["milliseconds"]?.uint32 ?? 0,
            outcome: Outcome(rawValue: text("outcome")) ?? .quarantined,
            participants: rows("participants", Participant.init), debts: rows("debts", Debt.init),
            browser: text("browser"), browserExplanation: text("browser-explanation"),
            shared: rows("shared", Holder.init), provider: text("provider"),
            providerExplanation: text("provider-explanation"), rejected: rows("rejected", Rejection.init),
            restarts: dictionary["restarts"]?.uint32 ?? 0,
            explanation: text("explanation"), release: Release(dictionary["release"]?.dictionary ?? [:]),
            browserChecks: rows("browser-checks", Holder.init), tokens: rows("tokens", Tokens.init),
            tokensExplanation: text("tokens-explanation"), leftOut: dictionary["left-out"]?.uint32)
    }

    public var dictionary: VariantDictionary {
        var values: VariantDictionary = [
            "epoch": epoch.variant, "journal-id": .string(journalID),
            "account": .dictionary(account?.dictionary ?? [:]), "reason": .string(reason.rawValue),
            "started": .int64(started), "ended": .int64(ended), "milliseconds": .uint32(milliseconds),
            "outcome": .string(outcome.rawValue), "participants": .dictionaries(participants.map(\.dictionary)),
            "debts": .dictionaries(debts.map(\.dictionary)), "browser": .string(browser),
            "browser-explanation": .string(browserExplanation),
            "browser-checks": .dictionaries(browserChecks.map(\.dictionary)),
            "shared": .dictionaries(shared.map(\.dictionary)),
            "provider": .string(provider), "provider-explanation": .string(providerExplanation),
            "rejected": .dictionaries(rejected.map(\.dictionary)), "restarts": .uint32(restarts),
            "explanation": .string(explanation),
            "release": .dictionary(release?.dictionary ?? [:]),
            "tokens": .dictionaries(tokens.map(\.dictionary)), "tokens-explanation": .string(tokensExplanation),
        ]
        values["left-out"] = leftOut.map { .uint32($0) }
        return values
    }
}

extension Receipt.Participant {
    init(_ dictionary: VariantDictionary) {
        func text(_ key: String) -> String { dictionary[key]?.string ?? "" }
        self.init(
            app: text("app"), uid: dictionary["uid"]?.uint32 ?? 0, identity: text("identity"),
            outcome: text("outcome"), milliseconds: dictionary["milliseconds"]?.uint32 ?? 0, proof: text("proof"),
            details: text("details"), explanation: text("explanation"))
    }

    var dictionary: VariantDictionary {
        [
            "app": .string(app), "uid": .uint32(uid), "identity": .string(identity), "outcome": .string(outcome),
            "milliseconds": .uint32(milliseconds), "proof": .string(proof), "details": .string(details),
            "explanation": .string(explanation),
        ]
    }
}

extension Receipt.Debt {
    init(_ dictionary: VariantDictionary) {
        self.init(
            app: dictionary["app"]?.string ?? "", uid: dictionary["uid"]?.uint32 ?? 0,
            since: dictionary["since"].flatMap(Epoch.init) ?? 0)
    }

    var dictionary: VariantDictionary { ["app": .string(app), "uid": .uint32(uid), "since": since.variant] }
}

extension Receipt.Holder {
    init(_ dictionary: VariantDictionary) {
        self.init(
            holder: dictionary["holder"]?.string ?? "", outcome: dictionary["outcome"]?.string ?? "",
            explanation: dictionary["explanation"]?.string ?? "")
    }

    var dictionary: VariantDictionary {
        ["holder": .string(holder), "outcome": .string(outcome), "explanation": .string(explanation)]
    }
}

extension Receipt.Rejection {
    init(_ dictionary: VariantDictionary) {
        self.init(
            app: dictionary["app"]?.string ?? "", sender: dictionary["sender"]?.string ?? "",
            error: dictionary["error"]?.string ?? "", count: dictionary["count"]?.uint32 ?? 0)
    }

    var dictionary: VariantDictionary {
        ["app": .string(app), "sender": .string(sender), "error": .string(error), "count": .uint32(count)]
    }
}

extension Receipt.Tokens {
    init(_ dictionary: VariantDictionary) {
        self.init(
            app: dictionary["app"]?.string ?? "", uid: dictionary["uid"]?.uint32 ?? 0,
            count: dictionary["count"]?.uint32 ?? 0)
    }

    var dictionary: VariantDictionary { ["app": .string(app), "uid": .uint32(uid), "count": .uint32(count)] }
}

extension Receipt.Release {
    init?(_ dictionary: VariantDictionary) {
        guard let when = dictionary["when"]?.int64 else { return nil }
        self.init(
            when: when, by: dictionary["by"]?.string ?? "", explanation: dictionary["explanation"]?.string ?? "")
    }

    var dictionary: VariantDictionary {
        ["when": .int64(when), "by": .string(by), "explanation": .string(explanation)]
    }
}
