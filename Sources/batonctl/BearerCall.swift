import Baton
import Identity
import WebText

/// A GET with a token that goes to one origin and nowhere else.
struct BearerCall: Sendable {
    private static let mostRedirects = 5

    let url: String
    /// Sends one request and follows no redirect.
    let http: any HTTPExchange
    /// Told when the way leads to another origin.
    let leaves: @Sendable (CallOrigin) -> Void

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func send(_ token: TokenResult) async throws -> HTTPResponse {
        let type = token.tokenType.isEmpty ? "Bearer" : token.tokenType
        var headers = [(name: "Authorization", value: "\(type) \(token.accessToken)")]
        var address = url
        guard var origin = CallOrigin(address) else { throw Failure(description: Text.CommandLine.callForm) }
        for _ in 0...Self.mostRedirects {
            let answer = try await http.send(
                HTTPRequest(.get, address, headers: headers, correlationID: token.correlationID))
            guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.header("location") else {
                return answer
            }
            guard let next = Self.resolve(location, from: address), let nextOrigin = CallOrigin(next) else {
                throw Failure(description: Text.CommandLine.redirectedBadly)
            }
            if nextOrigin != origin {
                // For good: a way that comes back was drawn by another host.
                if !headers.isEmpty { leaves(nextOrigin) }
                headers = []
                origin = nextOrigin
            }
            address = next
        }
        throw Failure(description: Text.CommandLine.tooManyRedirects)
    }

    /// The whole address that a redirect means, without the part that is not sent.
    private static func resolve(_ location: String, from base: String) -> String? {
        WebAddress.resolve(location, from: base, longest: SignInStep.longestURL).map { String($0.prefix { $0 != "#" }) }
    }
}
