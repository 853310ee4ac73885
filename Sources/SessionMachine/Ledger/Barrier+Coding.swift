import Vocabulary

/// In the journal the stage is said by flags, as it was before there were stages.
extension Barrier: Codable {
    enum CodingKeys: String, CodingKey {
        case epoch, reason, began, lost, startedWall, started, soft, hard, absolute, waitsForAgent, closed, ended,
            doomed
        case browser, browserExplanation, browserChecks, user, turn, shared, provider, providerEnds, restarts,
            rejections, tokens
        case slowestWrite, nextMode, retried, retryEnds
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        epoch = try values.decode(Epoch.self, forKey: .epoch)
        reason = try values.decode(SignOutReason.self, forKey: .reason)
        began = try values.decodeIfPresent(Ledger.Begin.self, forKey: .began)
        lost = try values.decodeIfPresent(Explanation.self, forKey: .lost)
        startedWall = try values.decode(Int64.self, forKey: .startedWall)
        started = try values.decode(UInt64.self, forKey: .started)
        soft = try values.decode(UInt64.self, forKey: .soft)
        hard = try values.decode(UInt64.self, forKey: .hard)
        absolute = try values.decode(UInt64.self, forKey: .absolute)
        doomed = try values.decodeIfPresent(Explanation.self, forKey: .doomed)
        browser = try values.decodeIfPresent(CheckOutcome.self, forKey: .browser)
        browserExplanation = try values.decode(String.self, forKey: .browserExplanation)
        browserChecks = try values.decodeIfPresent([Check].self, forKey: .browserChecks)
        user = try values.decodeIfPresent(TurnUser.self, forKey: .user)
        turn = try values.decodeIfPresent(Check.self, forKey: .turn)
        shared = try values.decodeIfPresent([Check].self, forKey: .shared)
        provider = try values.decodeIfPresent(ProviderReport.self, forKey: .provider)
        providerEnds = try values.decodeIfPresent(UInt64.self, forKey: .providerEnds)
        restarts = try values.decode(UInt32.self, forKey: .restarts)
        rejections = try values.decode([Rejection].self, forKey: .rejections)
        tokens = try values.decodeIfPresent(TokenTally.self, forKey: .tokens)
        slowestWrite = try values.decodeIfPresent(UInt64.self, forKey: .slowestWrite)
        nextMode = try values.decodeIfPresent(Mode.self, forKey: .nextMode)
        let isClosed = try values.decode(Bool.self, forKey: .closed)
        let isWaiting = try values.decode(Bool.self, forKey: .waitsForAgent)
        var retries = Retries()
        retries.last = try values.decode(UInt64.self, forKey: .retried)
        retries.ends = try values.decode(UInt64.self, forKey: .retryEnds)
        if try values.decode(Bool.self, forKey: .ended) {
            stage = .quarantined(retries)
        } else if isWaiting {
            stage = .waitingForAgent(isClosed: isClosed)
        } else {
            stage = isClosed ? .closed : .participants
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(epoch, forKey: .epoch)
        try values.encode(reason, forKey: .reason)
        try values.encodeIfPresent(began, forKey: .began)
        try values.encodeIfPresent(lost, forKey: .lost)
        try values.encode(startedWall, forKey: .startedWall)
        try values.encode(started, forKey: .started)
        try values.encode(soft, forKey: .soft)
        try values.encode(hard, forKey: .hard)
        try values.encode(absolute, forKey: .absolute)
        try values.encodeIfPresent(doomed, forKey: .doomed)
        try values.encodeIfPresent(browser, forKey: .browser)
        try values.encode(browserExplanation, forKey: .browserExplanation)
        try values.encodeIfPresent(browserChecks, forKey: .browserChecks)
        try values.encodeIfPresent(user, forKey: .user)
        try values.encodeIfPresent(turn, forKey: .turn)
        try values.encodeIfPresent(shared, forKey: .shared)
        try values.encodeIfPresent(provider, forKey: .provider)
        try values.encodeIfPresent(providerEnds, forKey: .providerEnds)
        try values.encode(restarts, forKey: .restarts)
        try values.encode(rejections, forKey: .rejections)
        try values.encodeIfPresent(tokens, forKey: .tokens)
        try values.encodeIfPresent(slowestWrite, forKey: .slowestWrite)
        try values.encodeIfPresent(nextMode, forKey: .nextMode)
        try values.encode(waitsForAgent, forKey: .waitsForAgent)
        try values.encode(closed, forKey: .closed)
        try values.encode(ended, forKey: .ended)
        try values.encode(retries.last, forKey: .retried)
        try values.encode(retries.ends, forKey: .retryEnds)
    }
}
