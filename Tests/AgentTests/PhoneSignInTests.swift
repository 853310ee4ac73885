import BatonContract
import Testing

@testable import Agent

struct PhoneSignInTests {
    private static func step(_ complete: String) -> SignInStep {
        SignInStep(
            kind: .deviceCode, url: "https://id.example/device", userCode: "ABCD", verificationURIComplete: complete,
            expires: 2_000_000)
    }

    @Test func `it has the code, the address and a picture of squares inside its zone`() throws {
        let phone = try #require(PhoneSignIn(Self.step("https://id.example/device?user_code=ABCD")))
        #expect(phone.code == "ABCD" && phone.url == "https://id.example/device" && phone.ends == 2000)
        #expect(phone.modules.hasPrefix("M4 4h1v1h-1z"))
        #expect(phone.width > 8 && !phone.modules.contains("M0 ") && !phone.modules.contains("M\(phone.width - 1) "))
        // Another address is another picture.
        #expect(try phone.modules != #require(PhoneSignIn(Self.step(""))).modules)
    }

    @Test
    func `a page that opens on this device needs no phone, and an address too long for a picture still has its code`()
        throws
    {
        #expect(PhoneSignIn(SignInStep(kind: .openURL, url: "https://id.example")) == nil)
        let long = "https://id.example/" + String(repeating: "x", count: 8000)
        let phone = try #require(PhoneSignIn(Self.step(long)))
        #expect(phone.modules.isEmpty && phone.code == "ABCD")
    }
}
