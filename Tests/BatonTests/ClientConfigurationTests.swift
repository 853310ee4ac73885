import BatonContract
import BatonMSAL
import Foundation
import Testing

@testable import BatonMSAL

struct ClientConfigurationTests {
    private func identity(
        redirectUri: String? = nil, clientId: String = "client", appID: String? = "org.example.Till"
    ) throws(ClientFault) -> ClientIdentity {
        try ClientIdentity(PublicClientApplicationConfig(clientId: clientId, redirectUri: redirectUri), appID: appID)
    }

    private func refusal(of redirectUri: String) -> ClientFault? {
        do throws(ClientFault) {
            _ = try identity(redirectUri: redirectUri)
            return nil
        } catch {
            return error
        }
    }

    @Test func `no redirect URI is the app's own`() throws {
        #expect(try identity().redirectURI.text == "msauth.org.example.Till://auth")
        #expect(try identity().redirectURI.isDefault)
    }

    @Test(arguments: [
        "msauth.org.example.till://auth", "msauth.ORG.EXAMPLE.TILL://auth", "till://org.example.Till",
        "http://127.0.0.1:8400/answer", "https://till.example.org/answer", "org.example.till:/answer",
    ])
    func `addresses that an app may have are taken as they are`(uri: String) throws {
        #expect(try identity(redirectUri: uri).redirectURI.text == uri)
    }

    @Test(arguments: [
        ("", "must have 1 to 2048 characters"), ("till://auth x", "is not a URI"),
        ("msauth.org.example.till://auth#x", "must have no fragment"), ("auth", "has no scheme"),
        ("1till://auth", "has an invalid scheme"), ("urn:ietf:wg:oauth:2.0:oob", "asks for a code to be copied"),
        ("file://auth", "with another meaning"), ("till:auth", "must have the form scheme://host"),
        ("till://", "has no host"), ("https://me:secret@till.example/", "must not contain a user name"),
        ("https://till.example:0/", "has an invalid port"), ("http://till.example/", "has http, which is for"),
        ("msauth.org.example.other://auth", "is that of the app org.example.other"),
        ("msauth.://auth", "names no app"),
    ])
    func `each fault of a redirect URI has a message of its own`(uri: String, text: String) throws {
        let fault = try #require(refusal(of: uri))
        #expect(fault.description.contains(text), "\(fault)")
        #expect(!fault.description.contains("secret"))
        #expect(fault.entry.internalCode == .invalidRedirectURI)
    }

    @Test func `no two messages are the same`() {
        let faults = RedirectURI.Fault.allCases.map { AppRedirectURI.Fault.general($0) } + [.otherApp("x"), .noApp]
        #expect(Set(faults.map { $0.message(for: "u") }).count == faults.count)
    }

    @Test(arguments: [
        "https://login.microsoftonline.com/common", "https://login.microsoftonline.us/organizations/v2.0",
        "https://login.example.org/realms/ward", "http://127.0.0.1:8090", "http://localhost:8090/", "http://[::1]:1",
        "https://ward.b2clogin.com/ward.onmicrosoft.com/b2c_1_in", "https://fs.example.org/adfs",
    ])
    func `authorities of every kind are taken`(url: String) throws {
        #expect(try ClientAuthority(url: #require(URL(string: url))).url.absoluteString == url)
    }

    @Test(arguments: [
        ("http://login.example.org/", AuthorityFault.scheme), ("ftp://x.example", .scheme),
        ("login.example.org", .scheme),
        ("https://me@login.example.org", .userName), ("https:///realm", .host),
        ("https://login.example.org/?x=1", .tail), ("https://login.example.org/#x", .tail),
        ("https://login.microsoftonline.com", .tenant), ("https://login.microsoftonline.com/", .tenant),
        ("https://ward.b2clogin.com/tenant", .policy), ("https://x.example/tfp/tenant", .policy),
        ("https://x.example/a b", .characters), ("", .length), (String(repeating: "x", count: 2049), .length),
    ])
    func `an authority that cannot be one is refused with what is wrong`(url: String, fault: AuthorityFault) {
        #expect(throws: fault) { try AuthorityFault.check(url) }
    }

    @Test func `each fault of an authority has a message of its own`() {
        #expect(Set(AuthorityFault.allCases.map(\.description)).count == AuthorityFault.allCases.count)
    }

    @Test func `an authority that is refused is an NSError`() throws {
        let url = try #require(URL(string: "http://login.example.org/"))
        do {
            _ = try MSALAADAuthority(url: url)
            Issue.record("taken")
        } catch let error as NSError {
            #expect(error.domain == MSALErrorDomain && error.code == MSALError.internal.rawValue)
            #expect(
                error.userInfo[MSALInternalErrorCodeKey] as? Int
                    == MSALInternalError.failedAuthorityValidation.rawValue)
        }
    }

    @Test func `an app has an id, from where it is told one`() throws {
        #expect(throws: ClientFault.noAppID) { _ = try identity(appID: nil) }
        #expect(try identity(redirectUri: "msauth.org.example.Bar://auth", appID: nil).appID == "org.example.Bar")
        for wrong in ["", "a b", "a/b", "ü", String(repeating: "a", count: 256)] {
            #expect(throws: ClientFault.appID) { _ = try identity(appID: wrong) }
        }
        #expect(throws: ClientFault.clientID) { _ = try identity(clientId: "") }
    }

    @Test func `a claims request is a JSON object`() throws {
        #expect(try ClaimsRequest(jsonString: #"{"id_token":{"auth_time":null}}"#).jsonString.hasPrefix("{"))
        for wrong in ["", "[]", "1", "{", "\"x\""] {
            #expect(throws: (any Error).self) { try ClaimsRequest(jsonString: wrong) }
        }
    }

    @Test func `claims become values of the kinds that code for MSAL expects`() throws {
        let text = #"{"name":"Ana","n":7,"f":0.5,"b":true,"list":["a",1],"o":{"x":"y"},"nothing":null}"#
        let claims = try #require(ClientAccount(Account(id: "a"), claims: text).accountClaims)
        #expect(claims["name"] as? String == "Ana" && claims["n"] as? Int == 7 && claims["f"] as? Double == 0.5)
        #expect(claims["b"] as? Bool == true && (claims["list"] as? [Any])?.count == 2)
        #expect((claims["o"] as? [String: Any])?["x"] as? String == "y" && claims["nothing"] == nil)
        #expect(ClientAccount(Account(id: "a")).accountClaims == nil)
        #expect(ClientAccount(Account(id: "a"), claims: "[]").accountClaims == nil)
    }

    @Test func `an account is known by its home account where it has one`() {
        let entra = ClientAccount(Account(id: "i#1", homeAccountID: "oid-1.tid-1", tenant: "tid-1"))
        #expect(entra.identifier == "oid-1.tid-1")
        #expect(entra.homeAccountId?.objectId == "oid-1" && entra.homeAccountId?.tenantId == "tid-1")
        let other = ClientAccount(Account(id: "https://id.example#7", tenant: "t"))
        #expect(other.identifier == "https://id.example#7" && other.username == nil)
        #expect(other.homeAccountId?.tenantId == "t")
        #expect(ClientAccount(Account(id: "a", name: "x")) == ClientAccount(Account(id: "a", name: "y")))
    }

    @Test func `a result shows no token when it is printed`() {
        let result = AuthenticationResult(
            TokenResult(
                accessToken: "canary-access", expires: 7, scopes: ["mail"], idToken: "canary-id",
                account: Account(id: "i#ana"), claims: "{}", authority: "https://id.example",
                correlationID: "6E0B3D0A-3F64-4D3B-8E5B-0A7C0B3A5D11", epoch: 3))
        var dumped = ""
        dump(result, to: &dumped)
        for text in ["\(result)", String(reflecting: result), dumped] { #expect(!text.contains("canary")) }
        #expect(result.authorizationHeader == "Bearer canary-access")
        #expect(result.expiresOn == Date(timeIntervalSince1970: 7) && result.idToken == "canary-id")
        #expect(result.correlationId != nil && result.authority?.url.absoluteString == "https://id.example")
    }
}
