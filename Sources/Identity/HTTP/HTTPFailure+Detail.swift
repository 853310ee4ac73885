import Glibc
import NIOCore
import NIOPosix
import NIOSSL

extension HTTPFailure {
    /// What failed, in words of our own: what the libraries say may have addresses and names of the other side in it.
    static func detail(of error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: detail(of: error)
        case let error as IOError: detail(ofNumber: error.errnoCode)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is another host's"
        case let error as NIOSSLError: detail(of: error)
        default: ""
        }
    }

    private static func detail(of error: NIOConnectionError) -> String {
        for failure in error.connectionErrors {
            if let error = failure.error as? IOError { return detail(ofNumber: error.errnoCode) }
        }
        // No address to connect to.
        guard error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil else { return "" }
        return "its name is not found (DNS)"
    }

    private static func detail(ofNumber number: CInt) -> String {
        switch number {
        case ECONNREFUSED: "the connection is refused"
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: "there is no route to it"
        case ECONNRESET, EPIPE: "it broke the connection off"
        default: "error \(number) of the system"
        }
    }

    private static func detail(of error: NIOSSLError) -> String {
        guard case .handshakeFailed(let failure) = error else { return "" }
        // The library has no other way to tell.
        return "\(failure)".contains("CERTIFICATE_VERIFY_FAILED")
            ? "its certificate is not trusted here, or not valid at this time" : "there is no common kind of encryption"
    }
}
