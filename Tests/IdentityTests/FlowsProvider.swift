import Secrets
import Synchronization

@testable import Identity

/// A provider that answers as a test wants, and when it wants; it remembers what it was asked.
final class FlowsProvider: HTTPExchange {
    typealias Answer = @Sendable (HTTPRequest) async throws(IdentityError) -> HTTPResponse

    static let origin = "https://login.example"

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [HTTPRequest] = []
        var waiters: [(path: String, count: Int, answer: SharedAnswer<Bool>)] = []
    }

    private let state = Mutex(State())

    /// What is answered below a path such as `/token`; 404 where nothing is set.
    func answer(_ path: String, _ answer: @escaping Answer) { state.withLock { $0.answers[path] = answer } }

    /// Answers each request with the next number.
    func answer(_ path: String, countingFrom first: Int, _ answer: @escaping @Sendable (Int) -> HTTPResponse) {
        let next = Mutex(first)
        self.answer(path) { _ in
            answer(
                next.withLock { number in
                    defer { number += 1 }
                    return number
                })
        }
    }

    func requests(_ path: String) -> [HTTPRequest] {
        state.withLock { $0.requests.filter { Self.path($0) == path } }
    }

    /// Where requests came, in order.
    var paths: [String] { state.withLock { $0.requests.map(Self.path) } }

    /// Returns once that many requests have come there.
    func until(_ count: Int, at path: String) async throws {
        let answer = SharedAnswer<Bool>()
        let isThere = state.withLock { state in
            state.waiters.append((path, count, answer))
            return state.requests.count { Self.path($0) == path } >= count
        }
        if !isThere { _ = try await answer.value() }
    }

    func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
        let path = Self.path(request)
        let (answer, waiting) = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count { Self.path($0) == path }
            return (state.answers[path], state.waiters.filter { $0.path == path && $0.count <= count }.map(\.answer))
        }
        for waiter in waiting { waiter.settle(.success(true)) }
        guard let answer else { return HTTPResponse(status: 404) }
        return try await answer(request)
    }

    private static func path(_ request: HTTPRequest) -> String {
        String(request.url.dropFirst(origin.count).prefix { $0 != "?" })
    }
}

extension HTTPRequest {
    /// A field of the form.
    subscript(name: String) -> String? { form?.first { $0.name == name }?.value }
}

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
    }

    static func error(_ code: String, status: Int = 400) -> HTTPResponse {
        json(#"{"error": "\#(code)", "error_description": "a text with canary-description in it"}"#, status: status)
    }

    static func tokens(
        access: String, refresh: String? = nil, id: String? = nil, expires: Int64? = 3600, scope: String? = nil
    ) -> HTTPResponse {
        var fields = [#""access_token": "\#(access)", "token_type": "Bearer""#]
        if let refresh { fields.append(#""refresh_token": "\#(refresh)""#) }
        if let id { fields.append(#""id_token": "\#(id)""#) }
        if let expires { fields.append(#""expires_in": \#(expires)"#) }
        if let scope { fields.append(#""scope": "\#(scope)""#) }
        return json("{\(fields.joined(separator: ", "))}")
    }
}
