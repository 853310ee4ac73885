import Baton

@testable import BatonctlProgram

enum Fixtures {
    static let ana = Account(
        id: "local#ana", username: "ana", name: "Ana Horvat", environment: "local", locale: "hr")
    static let bo = Account(id: "local#bo", username: "bo", name: "Bo Larsen")
    static let rendering = OutputRendering(style: .plain, time: LocalTime { "at \($0)" })

    static let device = DeviceInformation(
        mode: .shared, phase: .inUse, epoch: 8, deviceID: "d", hostname: "ward-3", version: "1.0", bootID: "b",
        started: 1, since: 2, identity: .local, issuer: "", tenant: "", agent: .present, browser: .none,
        participants: 2,
        bus: .system, journalID: "j", idle: .nothing, explanation: "")

    static let receipt = Receipt(
        epoch: 7, journalID: "j", account: bo, reason: .user, started: 10, ended: 20, milliseconds: 1234,
        outcome: .contained,
        participants: [
            .init(
                app: "org.example.WardList", uid: 1000, identity: .claimed, outcome: .cleared, milliseconds: 12,
                proof: nil, details: "", explanation: ""),
            .init(
                app: "org.example.Hung", uid: 1000, identity: .proven, outcome: .contained, milliseconds: 1200,
                proof: .cgroup, details: "", explanation: "did not answer"),
        ],
        debts: [.init(app: "org.example.Old", uid: 1000, since: 3)], browser: .none, browserExplanation: "",
        shared: [.init(holder: "clipboard", outcome: .clean, explanation: "")], provider: .none,
        rejected: [.init(app: "", sender: ":1.9", error: .refused(.notRegistered), count: 2)], restarts: 0,
        explanation: "")

    static let apps = [
        ParticipantStatus(
            app: "org.example.WardList", uid: 1000, instance: 4, sender: ":1.4", pid: 44, state: .inUse),
        ParticipantStatus(app: "org.example.Old", uid: 1000, state: .owed, clearThrough: 7, owedSince: 3),
    ]
}
