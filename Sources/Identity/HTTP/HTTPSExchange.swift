import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import WebText

/// Requests to the provider over HTTPS; plain HTTP reaches this machine's own loopback only.
///
/// One deadline covers everything from looking the name up to the last byte of the body, so that an answer that
/// trickles ends as well. Nothing of a request or an answer is logged.
public final class HTTPSExchange: HTTPExchange {
    private static let userAgent = "Baton"
    /// All header fields of an answer together, in bytes.
    private static let largestHeader = 64 << 10

    private let client: HTTPClient
    /// Loopback is never reached through a proxy: what goes there is not encrypted.
    private let loopbackClient: HTTPClient
    private let requestTimeout: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - caFile: A PEM file with the only CAs that are trusted; nil: the system's.
    ///   - proxy: `http://host:port`, which only carries the encrypted connections; nil: none.
    ///   - sleep: Returns after that time, or throws when the task is cancelled.
    /// - Throws: `misconfigured`.
    public init(
        requestTimeout: Duration, caFile: String?, proxy: String?,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws(IdentityError) {
        self.sleep = sleep
        self.requestTimeout = min(max(requestTimeout, .milliseconds(1)), .seconds(3600))
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try Self.encryption(caFile: caFile), redirectConfiguration: .disallow,
            timeout: .init(connect: Self.amount(self.requestTimeout)), decompression: .disabled)
        configuration.httpVersion = .http1Only
        // A request fails when its connection does; who asked knows best whether to ask again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Shorter than any server's own, so that no request meets a connection that is just being closed.
        configuration.connectionPool.idleTimeout = .seconds(3)
        let direct = configuration
        if let proxy {
            guard let address = WebAddress(ofProvider: proxy), address.scheme == "http", let port = address.port,
                address.path.isEmpty || address.path == "/", address.query == nil
            else { throw IdentityError(.misconfigured(what: "the proxy is not of the form http://host:port")) }
            configuration.proxy = .server(host: address.host, port: Int(port))
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        loopbackClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: direct)
    }

    /// Ends all requests and closes all connections; every later request fails.
    public func shutdown() async {
        try? await client.shutdown()
        try? await loopbackClient.shutdown()
    }

    deinit {
        // Does nothing after `shutdown`; a client that was never closed would end the program.
        client.shutdown { _ in }
        loopbackClient.shutdown { _ in }
    }

    public func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
        let correlationID = IdentityText.identifier(request.correlationID, longest: 128) ?? ""
        guard let address = WebAddress(ofProvider: request.url) else {
            throw IdentityError(.misconfigured(what: "a request's address is not a web address"))
        }
        guard address.isSafe else {
            throw IdentityError(.misconfigured(what: "a request would leave this machine without encryption"))
        }
        guard request.headers.allSatisfy({ Self.isHeader($0.name, $0.value) }) else {
            throw IdentityError(.misconfigured(what: "a request has an invalid header field"))
        }
        let prepared: HTTPClient.Request
        do {
            prepared = try Self.prepare(request, correlationID: correlationID)
        } catch {
            throw HTTPFailure.error(error, correlationID)
        }
        let client = address.isLoopback ? loopbackClient : client
        let (timeout, sleep) = (requestTimeout, sleep)
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do {
                    return .answer(try await Self.exchange(prepared, client: client, timeout: timeout))
                } catch {
                    return .failure(HTTPFailure.error(error, correlationID))
                }
            }
            group.addTask {
                do {
                    try await sleep(timeout)
                    return .failure(IdentityError(.timeout, correlationID: correlationID))
                } catch {
                    return .failure(IdentityError(.canceled, correlationID: correlationID))
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(IdentityError(.canceled, correlationID: correlationID))
        }
        switch outcome {
        case .answer(let response): return response
        case .failure(let error):
            throw Task.isCancelled ? IdentityError(.canceled, correlationID: correlationID) : error
        }
    }

    private enum Outcome: Sendable {
        case answer(HTTPResponse)
        case failure(IdentityError)
    }

    private static func isHeader(_ name: String, _ value: String) -> Bool {
        IdentityText.identifier(name) != nil && !name.contains(" ") && !name.contains(":")
            && IdentityText.identifier(value, longest: largestHeader) != nil
    }

    private static func prepare(_ request: HTTPRequest, correlationID: String) throws -> HTTPClient.Request {
        var headers: HTTPHeaders = [
            "Accept": "application/json", "User-Agent": userAgent, "client-request-id": correlationID,
        ]
        if correlationID.isEmpty { headers.remove(name: "client-request-id") }
        for (name, value) in request.headers { headers.replaceOrAdd(name: name, value: value) }
        var body: HTTPClient.Body?
        if let form = request.form {
            headers.replaceOrAdd(name: "Content-Type", value: "application/x-www-form-urlencoded")
            body = .byteBuffer(ByteBuffer(string: FormText.encoded(form)))
        }
        return try HTTPClient.Request(
            url: request.url, method: HTTPMethod(rawValue: request.method.rawValue), headers: headers, body: body)
    }

    /// By the client's futures: its async requests begin a task of the pool each, which then looks around every second.
    private static func exchange(
        _ request: HTTPClient.Request, client: HTTPClient, timeout: Duration
    ) async throws -> HTTPResponse {
        // The task group's deadline comes first; this one is only for the client's own books.
        let asked = client.execute(
            request: request, delegate: ResponseAccumulator(request: request, maxBodySize: HTTPResponse.largestBody),
            deadline: .now() + amount(timeout + .seconds(1)))
        let answer = try await withTaskCancellationHandler {
            try await asked.get()
        } onCancel: {
            asked.cancel()
        }
        var weight = 0
        for (name, value) in answer.headers { weight += name.utf8.count + value.utf8.count }
        guard weight <= largestHeader else {
            throw HTTPFailure(.invalidAnswer(what: "the answer's header is too large"))
        }
        guard answer.headers["content-encoding"].allSatisfy({ $0.lowercased() == "identity" }) else {
            throw HTTPFailure(.invalidAnswer(what: "the answer is compressed, which the request does not allow"))
        }
        return HTTPResponse(
            status: Int(answer.status.code), headers: answer.headers.map { ($0.name, $0.value) },
            body: answer.body.map { Array($0.readableBytesView) } ?? [])
    }

    private static func encryption(caFile: String?) throws(IdentityError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        guard let caFile else { return configuration }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(caFile), !certificates.isEmpty else {
            throw IdentityError(.misconfigured(what: "the CA file cannot be read or holds no PEM certificate"))
        }
        configuration.trustRoots = .certificates(certificates)
        return configuration
    }

    private static func amount(_ duration: Duration) -> TimeAmount {
        .milliseconds(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)
    }
}
