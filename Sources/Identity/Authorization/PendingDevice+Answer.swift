import Secrets
import WebText

extension PendingDevice {
    /// Reads a device authorization answer: RFC 8628, section 3.2.
    ///
    /// - Throws: `invalidAnswer` with the name of the part that is missing or wrong.
    init(
        body: [UInt8], expectation: RelyingParty.Expectation, received: Int64
    ) throws(IdentityError) {
        let correlationID = expectation.correlationID
        let fault = { (what: String) in IdentityError(.invalidAnswer(what: what), correlationID: correlationID) }
        guard let answer = JSONValue(body), answer.object != nil else { throw fault("device authorization answer") }
        guard let code = answer["device_code"]?.string, (1...8192).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { throw fault("device_code") }
        guard let userCode = answer["user_code"]?.string, (1...64).contains(userCode.utf8.count),
            userCode.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { throw fault("user_code") }
        // Google writes `verification_url`.
        guard let page = (answer["verification_uri"] ?? answer["verification_url"])?.string, Self.isPage(page) else {
            throw fault("verification_uri")
        }
        guard let life = answer["expires_in"]?.lenientInteger, life > 0 else { throw fault("expires_in") }
        let complete = answer["verification_uri_complete"]?.string
        let (expires, overflow) = received.addingReportingOverflow(min(life, 86_400))
        self.init(
            userCode: userCode, verificationURI: page,
            verificationURIComplete: complete.flatMap { Self.isPage($0) ? $0 : nil },
            expires: overflow ? received : expires,
            interval: min(max(answer["interval"]?.lenientInteger ?? 5, 1), 120), correlationID: correlationID,
            deviceCode: Secret(text: code), expectation: expectation)
    }

    /// It is shown and opened: nothing but a web address.
    private static func isPage(_ text: String) -> Bool { WebAddress(text) != nil }
}
