import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// A GET as the tutorial's, with the token where it belongs.
enum ProtectedAddress {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func content(of uri: String, accessToken: String) async throws -> String {
        var request = HTTPClientRequest(url: uri)
        request.headers.add(name: "Authorization", value: "Bearer \(accessToken)")
        let response = try await client.execute(request, timeout: .seconds(30))
        let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
        guard response.status == .ok else { throw Failure(description: "status \(response.status.code)") }
        return body
    }

    /// It lives as long as the program does. No redirects: they would take the token along.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
}
