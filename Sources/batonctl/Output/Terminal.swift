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

    /// From here on a reader of the output that goes away is nothing. For what has a duty: the system would end it, before
    /// it has said that it cleared.
    static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

    static var styleOfOutput: Style {
        Style(
            isColored: isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
                && environment["TERM"] != "dumb")
    }

    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How many characters a line has; nil when it is no terminal, or one that does not say.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static var environment: [String: String] {
        var values: [String: String] = [:]
        for name in [
            "BATON_BUS", "DBUS_SESSION_BUS_ADDRESS", "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "TERM",
            "XDG_CONFIG_HOME", "XDG_DATA_HOME",
            "XDG_STATE_HOME",
        ] {
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
        return values
    }
}
