import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Tells the HTTP libraries' errors apart, by what can be done about them.
struct HTTPFailure: Error {
    let cause: IdentityError.Cause

    init(_ cause: IdentityError.Cause) { self.cause = cause }

    static func error(_ error: any Error, _ correlationID: String) -> IdentityError {
        var result = IdentityError(cause(of: error), correlationID: correlationID)
        result.detail = detail(of: error)
        return result
    }

    static func cause(of error: any Error) -> IdentityError.Cause {
        switch error {
        case let failure as HTTPFailure: failure.cause
        case is CancellationError: .canceled
        case is ResponseAccumulator.ResponseTooBigError: .invalidAnswer(what: "the answer's body is too large")
        case is HTTPParserError: .invalidAnswer(what: "the answer is not HTTP")
        case let error as HTTPClientError: cause(of: error)
        case let error as NIOSSLError: cause(of: error)
        case is NIOSSLExtraError, is BoringSSLError: .tls
        case let error as ChannelError:
            if case .connectTimeout = error { .timeout } else { .network }
        default: .network
        }
    }

    private static func cause(of error: HTTPClientError) -> IdentityError.Cause {
        switch error {
        case .cancelled, .alreadyShutdown: .canceled
        case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
            .httpProxyHandshakeTimeout, .getConnectionFromPoolTimeout:
            .timeout
        case .invalidURL, .emptyHost, .emptyScheme: .misconfigured(what: "a request's address is not a web address")
        case .proxyAuthenticationRequired: .misconfigured(what: "the proxy wants a password")
        default: .network
        }
    }

    private static func cause(of error: NIOSSLError) -> IdentityError.Cause {
        switch error {
        // The other side went away without saying so: a broken connection, not a wrong certificate.
        case .uncleanShutdown: .network
        default: .tls
        }
    }
}
