import Glibc
public import Secrets

/// What batond hands to the agent that it starts, at the standard input.
public enum LaunchCredential {
    private static let longest = 64

    /// Takes the bytes and leaves nothing at the standard input; nil when there were none. Call once, before anything
    /// else runs; shield the process first.
    public static func takeFromInput() -> Secret? {
        let secret = Secret(capacity: longest) { memory in
            var filled = 0
            while filled < memory.count {
                let count = read(STDIN_FILENO, memory.baseAddress?.advanced(by: filled), memory.count - filled)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                filled += count
            }
            return filled
        }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if nothing > STDIN_FILENO {
            dup2(nothing, STDIN_FILENO)
            close(nothing)
        }
        return secret.count > 0 ? secret : nil
    }
}
