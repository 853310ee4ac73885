/// What Chromium says unasked, as far as it is of use.
enum ChromiumEvent: Sendable {
    case paused(PausedRequest)
    /// It is new, or its address has changed.
    case target(TargetInfo)
    case targetGone(String)
    /// Its process has ended, and it shows that.
    case targetCrashed(String)
    /// A target listens, in that session of its own.
    case attached(TargetInfo, session: String)
}

struct TargetInfo: Decodable, Sendable {
    var targetId: String
    /// `page`: a tab or a pop-up; `other`: also hidden pages.
    var type: String
    var url: String
}

/// A request that waits for our word; everything in it was written by a page.
struct PausedRequest: Decodable, Sendable {
    struct Request: Decodable, Sendable {
        struct BodyPart: Decodable, Sendable {
            /// In base64; missing for a part that is a file.
            var bytes: String?
        }

        var url: String
        var method: String
        var headers: [String: String]?
        var hasPostData: Bool?
        var postDataEntries: [BodyPart]?
    }

    var requestId: String
    var request: Request
    /// The target's id for a page itself, another one for a frame in it.
    var frameId: String?
    var resourceType: String?
    var responseStatusCode: Int?
    var responseErrorReason: String?

    var isDocument: Bool { resourceType == "Document" }
    /// It waits after the server's answer and not before the request.
    var isAnswered: Bool { responseStatusCode != nil || responseErrorReason != nil }
}

/// A message from the pipe: the number of the command that it answers, or an event.
struct ChromiumIncoming: Decodable {
    var id: Int?
    var event: ChromiumEvent?

    private enum Keys: CodingKey { case id, method, params }
    private struct Target: Decodable { var targetInfo: TargetInfo }
    private struct Attached: Decodable {
        var sessionId: String
        var targetInfo: TargetInfo
    }
    private struct GoneTarget: Decodable { var targetId: String }

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: Keys.self)
        id = try message.decodeIfPresent(Int.self, forKey: .id)
        switch try message.decodeIfPresent(String.self, forKey: .method) {
        case "Fetch.requestPaused":
            event = .paused(try message.decode(PausedRequest.self, forKey: .params))
        case "Target.targetCreated", "Target.targetInfoChanged":
            event = .target(try message.decode(Target.self, forKey: .params).targetInfo)
        case "Target.targetDestroyed":
            event = .targetGone(try message.decode(GoneTarget.self, forKey: .params).targetId)
        case "Target.targetCrashed":
            event = .targetCrashed(try message.decode(GoneTarget.self, forKey: .params).targetId)
        case "Target.attachedToTarget":
            let attached = try message.decode(Attached.self, forKey: .params)
            event = .attached(attached.targetInfo, session: attached.sessionId)
        default: event = nil
        }
    }
}
