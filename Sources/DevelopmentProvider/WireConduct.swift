import WebText

/// What goes wrong between the answer and the wire.
struct WireConduct: Sendable {
    enum Instead: Sendable {
        case hang, refuse, serverError, throttled, busy, garbage, huge, page, redirectToItself
    }

    /// What comes in the answer's place; the request is not looked at.
    var instead: Instead?
    /// How long the request waits for its answer, beside `waitsBefore`.
    var pause: Duration?
    var waitsBefore: Bool
    var waitsAfter: Bool
    var hasHostileFields: Bool
    /// Which member is spoilt, and how; nil: none.
    var hostileField: Int?
    var hasEmptyErrors: Bool

    /// - Parameter turn: Counts the answers that had a hostile field.
    init(_ misconduct: Misconduct, at endpoint: Endpoint, turn: Int) {
        // Otherwise nothing could turn a misbehaviour off again.
        guard endpoint != .control else {
            (waitsBefore, waitsAfter, hasHostileFields, hasEmptyErrors) = (false, false, false, false)
            return
        }
        let table: [(Misbehaviour, Instead)] = [
            (.refuse, .refuse), (.hang, .hang), (.serverError, .serverError), (.throttled, .throttled), (.busy, .busy),
            (.garbage, .garbage), (.huge, .huge), (.notJSON, .page), (.redirectLoop, .redirectToItself),
        ]
        instead = table.first { misconduct.contains($0.0, at: endpoint) }?.1
        waitsBefore = misconduct.contains(.slow, at: endpoint)
        if endpoint == .logout, misconduct.contains(.logOutLate, at: endpoint) { pause = .milliseconds(900) }
        waitsAfter = endpoint == .token && misconduct.contains(.lateToken, at: endpoint)
        hasHostileFields = misconduct.contains(.hostileFields, at: endpoint)
        if misconduct.contains(.hostileField, at: endpoint) { hostileField = turn }
        hasEmptyErrors = misconduct.contains(.emptyErrorBodies, at: endpoint)
    }

    func applied(to answer: HTTPAnswer) -> HTTPAnswer {
        var result = answer
        if hasEmptyErrors, answer.status >= 400 {
            result.body = []
            result.contentType = nil
        } else if hasHostileFields, let json = answer.json {
            result.body = HostileJSON.corrupt(json).bytes
        } else if let hostileField, let json = answer.json {
            result.body = HostileJSON.corrupt(json, turn: hostileField).bytes
        }
        return result
    }
}
