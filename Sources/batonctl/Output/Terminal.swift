import Glibc
import SystemPackage

/// The terminal, or whatever stands in its place.
enum Terminal {
    /// Writes one line at once, whole, so that a reader at the other end of a pipe waits for nothing.
    static func say(_ line: String) {
        write(line + "\n", to: .standardOutput)
    }

    /// One line on standard error.
    static func complain(_ line: String) {
        write(line + "\n", to: .standardError)
    }

    static func write(_ text: String, to descriptor: FileDescriptor) {
        // A reader that went away is no reason to fail; what is done is done.
        _ = try? descriptor.writeAll(text.utf8)
    }

    static var styleOfOutput: Style {
        Style(
            isColored: isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
                && environment["TERM"] != "dumb")
    }

    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    static var environment: [String: String] {
        var values: [String: String] = [:]
        for name in ["BATON_BUS", "HOME", "NO_COLOR", "TERM", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return values
    }
}
