import Testing

@testable import Identity

@Suite(.timeLimit(.minutes(1))) struct AskedScopesTests {
    @Test(arguments: [
        ([], "openid profile offline_access"), (["openid", "email"], "openid"),
        (["openid", "profile", "offline_access"], "openid profile offline_access"),
    ])
    func `Of the scopes that no setting names, only those that the provider offers are requested`(
        offered: [String], asked: String
    ) async throws {
        let bench = FlowsBench(metadata: { $0.scopesSupported = offered })
        #expect(FlowsBench.query(try await bench.begin().url)["scope"] == asked)
        let request = FlowsBench.request { $0.scopes = ["mail"] }
        #expect(FlowsBench.query(try await bench.begin(request).url)["scope"]?.hasSuffix(" mail") == true)
    }

    @Test func `Scopes that an administrator wrote down are asked for, offered or not`() async throws {
        let bench = FlowsBench(
            metadata: { $0.scopesSupported = ["openid"] }, settings: { $0.scopes = ["offline_access", "ward"] })
        #expect(FlowsBench.query(try await bench.begin().url)["scope"] == "openid offline_access ward")
    }

    @Test func `Who only shows who they are is asked for nothing that lasts`() async throws {
        let bench = FlowsBench(settings: { $0.scopes = ["profile", "offline_access", "ward"] })
        let request = FlowsBench.request { $0.isProofOnly = true }
        // A provider may have a scope of its own for the claim by which it is known whose account it is.
        #expect(FlowsBench.query(try await bench.begin(request).url)["scope"] == "openid profile ward")
    }
}
