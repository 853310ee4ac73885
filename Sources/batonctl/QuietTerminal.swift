import Glibc

/// A terminal that neither echoes nor turns keys into signals until it is restored.
///
/// Without signals from keys nothing can end this process in the middle and leave the terminal without its echo:
/// Ctrl-C arrives as a byte.
struct QuietTerminal {
    private let descriptor: Int32
    private let before: termios

    /// Nil when it is not a terminal.
    init?(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        settings.c_iflag |= tcflag_t(ICRNL)
        // What was typed ahead stays: it is the PIN of a worker who is quick.
        guard tcsetattr(descriptor, TCSADRAIN, &settings) == 0 else { return nil }
    }

    func restore() {
        var settings = before
        tcsetattr(descriptor, TCSADRAIN, &settings)
    }
}
