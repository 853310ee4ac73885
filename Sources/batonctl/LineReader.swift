import Glibc
import LocalAccounts
import Secrets

/// Reads one line of a PIN from a descriptor, with the keys that a person corrects it with.
struct LineReader {
    private let descriptor: Int32
    private let stop: Int32
    private let isTerminal: Bool

    /// - Parameter stop: A pipe; the reading ends when its other end is closed.
    init(_ descriptor: Int32, stop: Int32) {
        self.descriptor = descriptor
        self.stop = stop
        isTerminal = isatty(descriptor) == 1
    }

    func read() -> Result<Secret, any Error> {
        Result {
            let limit = PINHash.longestPIN
            let secret = try Secret(capacity: limit) { (line) throws(any Error) -> Int in
                var count = 0
                while let byte = try next() {
                    if byte == UInt8(ascii: "\n") { return count }
                    if isTerminal {
                        switch byte {
                        case 3: throw Interrupted()  // Ctrl-C
                        case 4: return count  // Ctrl-D
                        case 8, 127:  // Backspace takes a whole character
                            while count > 0 {
                                count -= 1
                                if line[count] & 0xC0 != 0x80 { break }
                            }
                            continue
                        case 21:  // Ctrl-U
                            count = 0
                            continue
                        default: break
                        }
                    }
                    guard count < limit else { throw PINFault.tooLong }
                    line[count] = byte
                    count += 1
                }
                return count
            }
            guard secret.count > 0 else { throw PINFault.empty }
            return secret
        }
    }

    /// Nil at the end of the input.
    private func next() throws -> UInt8? {
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                throw PINFault.unreadable
            }
            guard waiting[1].revents == 0 else { throw Interrupted() }
            var byte: UInt8 = 0
            let got = Glibc.read(descriptor, &byte, 1)
            if got == 1 { return byte }
            if got == 0 { return nil }
            guard errno == EINTR || errno == EAGAIN else { throw PINFault.unreadable }
        }
    }
}
