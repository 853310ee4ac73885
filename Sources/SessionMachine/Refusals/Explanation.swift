public import Vocabulary

/// Why something came out as it did; `text` says it to people.
public struct Explanation: Hashable, Sendable, ExpressibleByArrayLiteral {
    public enum Part: Hashable, Sendable, Codable {
        // Why it is not known which apps took part in a turn.
        case olderCopy
        case lostJournal
        case resetJournal

        // Why a sign-out cannot end well.
        case agentMissing
        case absoluteLimit(microseconds: UInt64)
        case restarted(times: UInt32)
        case sealed(Seal)

        // What else a receipt says of a sign-out.
        case unwritableJournal
        case notContained(apps: [String])
        case browserNotSignedOut(failed: [String])
        case notCleared(holder: String)
        /// In microseconds; a write of the journal took so long.
        case slowWrite(limit: UInt64, took: UInt64)

        // Of an app.
        case noAcknowledgement
        case saidFailed
        case notRunning
        case notRunningDataUnknown
        case unknownApps
        case containmentFailed
        case containmentTimedOut
        case noAgentToContain
        case weakProof
        case barrierEnded

        // How a quarantine ended.
        case checksSucceeded
        case endedByAdministrator
        case notProvenClean(apps: [String])
        case uncheckedApps
        /// An older copy of the journal was put back, when that epoch had begun.
        case begunSince(Epoch)
        case unwrittenRelease

        // Of the identity provider and its tokens.
        case providerTimedOut
        case uncountedTokens

        /// What another process said, or an older version wrote.
        case said(String)
    }

    public var parts: [Part]

    public init(_ parts: [Part] = []) { self.parts = parts }

    public init(arrayLiteral parts: Part...) { self.init(parts) }

    /// - Parameter said: Empty: nothing.
    public init(said: String) { self.init(said.isEmpty ? [] : [.said(said)]) }

    public var isEmpty: Bool { parts.isEmpty }

    static func + (left: Self, right: Self) -> Self { Self(left.parts + right.parts) }
}

/// In the journal it is a list of its parts. A text there is all that another process said, or that an older version wrote.
extension Explanation: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.init(said: text)
        } else {
            self.init(try value.decode([Part].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch (parts.first, parts.count) {
        case (nil, _): try value.encode("")
        case (.said(let text), 1): try value.encode(text)
        default: try value.encode(parts)
        }
    }
}
