import BatonContract
import DBus
import Testing

/// What a daemon of another version says, and this one does not know, is taken for nothing else.
@Suite struct UnknownWordTests {
    @Test func `a state or a source of idle time that is not known is unknown`() {
        let status = ParticipantStatus(["app": .string("chart"), "state": .string("resting")])
        #expect(status.state == nil && status.dictionary["state"] == .string("unknown"))
        #expect(ParticipantStatus(["state": .string("in-use")]).state == .inUse)
        let information = DeviceInformation(["idle": .string("logind")])
        #expect(information.idle == nil && information.dictionary["idle"] == .string("unknown"))
        #expect(DeviceInformation(["idle": .string("no source")]).idle == .nothing)
    }

    @Test(
        arguments: [
            ("none", false, BrowserKind?.some(.none)), ("", false, nil), ("chromium", true, .chromium),
            ("Chromium 156.0", true, .chromium), ("Mozilla Firefox 140", true, .firefox), ("Lynx 2.9", true, nil),
        ] as [(String, Bool, BrowserKind?)])
    func `a browser is managed unless there is none, and its name tells its kind`(
        name: String, isManaged: Bool, kind: BrowserKind?
    ) {
        let browser = DeviceInformation(["browser": .string(name)]).browser
        #expect(browser.rawValue == name && browser.isManaged == isManaged && browser.kind == kind)
    }

    @Test(arguments: [
        ("StaleEpoch", RejectionCause.refused(.staleEpoch)), ("TooManyCalls", .misuse(.calls)),
        ("OfAnotherVersion", .unknown("OfAnotherVersion")),
    ])
    func `the cause of a rejection is read, and one that is not known is kept`(word: String, cause: RejectionCause) {
        let rejection = Receipt.Rejection(["error": .string(word), "count": .uint32(2)])
        #expect(rejection.error == cause && rejection.dictionary["error"] == .string(word))
    }
}
