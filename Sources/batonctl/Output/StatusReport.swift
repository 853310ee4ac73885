import Baton

/// All that `status` tells, and its JSON.
struct StatusReport: Encodable {
    var device: DeviceInformation
    var current: Account?
    var previous: Account?
    /// Nil: the daemon does not tell this caller.
    var participants: [ParticipantStatus]?
    var lastReceipt: Receipt?

    enum CodingKeys: String, CodingKey {
        case device, current, previous, participants
        case lastReceipt = "last-receipt"
    }

    func encode(to encoder: any Encoder) throws {
        // Written out, so that a key is there also when it has no value.
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(device, forKey: .device)
        try container.encode(current, forKey: .current)
        try container.encode(previous, forKey: .previous)
        try container.encode(participants, forKey: .participants)
        try container.encode(lastReceipt, forKey: .lastReceipt)
    }
}

/// The JSON of `account`.
struct AccountReport: Encodable {
    var account: CurrentAccount

    enum CodingKeys: String, CodingKey { case epoch, current, previous }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account.epoch, forKey: .epoch)
        try container.encode(account.current, forKey: .current)
        try container.encode(account.previous, forKey: .previous)
    }
}

/// The JSON of `sign-in`.
struct SignInReport: Encodable {
    var epoch: Epoch
    var account: Account
}

/// The JSON of `device-mode`.
struct ModeReport: Encodable {
    var mode: DeviceMode
}
