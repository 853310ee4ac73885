import Testing
import Vocabulary

@testable import Identity

@Suite struct LogOutAddressTests {
    private static let entra = "https://login.microsoftonline.com"

    @Test func `Entra ID ends the browser's session at other addresses, too`() throws {
        let authority = try Authority("\(Self.entra)/contoso.example")
        let own = "\(Self.entra)/contoso.example/oauth2/v2.0/logout"
        let others = authority.logOutAddresses(beside: own)
        #expect(
            Set(others) == [
                "\(Self.entra)/contoso.example/oauth2/logout", "\(Self.entra)/common/oauth2/v2.0/logout",
                "\(Self.entra)/common/oauth2/logout", "\(Self.entra)/organizations/oauth2/v2.0/logout",
                "\(Self.entra)/organizations/oauth2/logout", "\(Self.entra)/consumers/oauth2/v2.0/logout",
                "\(Self.entra)/consumers/oauth2/logout",
            ])
        #expect(others.count == 7)
        // Discovery names the tenant by its id.
        let id = "\(Self.entra)/2f1a7c1e-5a52-4c5a-9a52-0d8a3f0f3c11/oauth2/v2.0/logout"
        #expect(
            authority.logOutAddresses(beside: id).filter { $0.contains("/contoso.example/") } == [
                "\(Self.entra)/contoso.example/oauth2/v2.0/logout", "\(Self.entra)/contoso.example/oauth2/logout",
            ])
        let behind = try Authority("https://proxy.example/entra/common", type: .entra)
        let prefixed = behind.logOutAddresses(beside: "https://proxy.example/entra/common/oauth2/v2.0/logout")
        #expect(prefixed.contains("https://proxy.example/entra/common/oauth2/logout"))
    }

    @Test(arguments: ["", "\(entra)/logout", "\(entra)/oauth2/logout", "nothing"])
    func `What has no such form has no others`(endSession: String) throws {
        #expect(try Authority("\(Self.entra)/common").logOutAddresses(beside: endSession).isEmpty)
    }

    @Test(arguments: ["https://id.example.com", "https://c.b2clogin.com/c.example/B2C_1_in"])
    func `Other providers have one`(authority: String) throws {
        #expect(try Authority(authority).logOutAddresses(beside: "\(authority)/oauth2/v2.0/logout").isEmpty)
    }
}
