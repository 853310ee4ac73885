import AsyncHTTPClient
import DevelopmentProvider
import FolderTesting
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing
import WebText

@Suite(.timeLimit(.minutes(2))) struct SecureTests {
    /// For localhost, made for this test and trusted by nobody else.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUDIsTa33rqTJhZKtH6wYvxNxIMtYwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIxMjUyNVoYDzIxMjYxMDI4
        MjEyNTI1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATSdK9dT0bHESHnWl6Rms7mJVhALMkOAHuh2CBIgBQNgp0X6vvMdMHE
        s74j6XB4LpsemTdwlEHMf3l9Xwz9CbbZo2kwZzAdBgNVHQ4EFgQUjuw8ywVYAW0b
        kgcQX556S+7ztXwwHwYDVR0jBBgwFoAUjuw8ywVYAW0bkgcQX556S+7ztXwwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgNsYsokn8kKIox4B1ZTpzSTSKUaSX+uZVJNJrQNG0OBsCIQCTCCms8rTE
        vvP15qcG71YVsCo2pmDaJXZ4COaZiGMrZA==
        -----END CERTIFICATE-----

        """
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg135FhYNcd2jbmsNy
        8tY/qD5RZ4Nr7Uqph00J3fG0RvWhRANCAATSdK9dT0bHESHnWl6Rms7mJVhALMkO
        AHuh2CBIgBQNgp0X6vvMdMHEs74j6XB4LpsemTdwlEHMf3l9Xwz9CbbZ
        -----END PRIVATE KEY-----

        """

    @Test func `With a certificate it speaks https under its name, and its cookie is secure`() async throws {
        let folder = try TemporaryFolder("devidp")
        var options = ProviderOptions()
        options.accounts = DevelopmentAccount.samples
        options.keys = try Scene.keys.get()
        options.hostName = "localhost"
        options.certificateFile = try folder.write(Self.certificate, to: "certificate.pem")
        options.keyFile = try folder.write(Self.key, to: "key.pem")
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(Self.certificate.utf8)))
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow))
        do {
            try await DevelopmentProvider(options).whileRunning { address in
                #expect(address.base == "https://localhost:\(address.port)" && address.issuer == address.base)
                let document = try await client.execute(
                    HTTPClientRequest(url: address.base + "/.well-known/openid-configuration"), timeout: .seconds(20))
                let json = JSONValue.unbounded(try await document.body.collect(upTo: 1 << 20).readableBytesView)
                #expect(json?["issuer"] == .string(address.issuer))
                var entry = HTTPClientRequest(url: address.base + "/device/login")
                entry.method = .POST
                entry.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
                let code = try await Self.userCode(client, address.base)
                entry.body = .bytes(ByteBuffer(string: "user_code=\(code)&username=ana&password=ana&action=sign-in"))
                let answer = try await client.execute(entry, timeout: .seconds(20))
                let cookie = answer.headers.first(name: "set-cookie")
                #expect(cookie?.contains("HttpOnly; SameSite=Lax") == true && cookie?.hasSuffix("; Secure") == true)
            }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    private static func userCode(_ client: HTTPClient, _ base: String) async throws -> String {
        var request = HTTPClientRequest(url: base + "/device_authorization")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: "client_id=baton&scope=openid"))
        let answer = try await client.execute(request, timeout: .seconds(20))
        let json = JSONValue.unbounded(try await answer.body.collect(upTo: 1 << 20).readableBytesView)
        return try #require(json?["user_code"]?.string)
    }
}
