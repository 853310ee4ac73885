import LinuxSystem

/// Whether this machine has a keyboard, as the kernel lists its input devices.
enum Keyboards {
    /// Also true where the kernel lists none at all, as in a container: then it is not known.
    static var areThere: Bool {
        guard let text = readSmallFile("/proc/bus/input/devices", most: 1 << 20) else { return true }
        return areThere(in: String(decoding: text, as: UTF8.self))
    }

    /// - Parameter list: In paragraphs, a line `B: KEY=` of each with the bits of its keys, as words in hexadecimal, the highest first.
    static func areThere(in list: String) -> Bool {
        let keys = list.split(separator: "\n").filter { $0.hasPrefix("B: KEY=") }
        guard !list.allSatisfy(\.isWhitespace) else { return true }
        return keys.contains { line in
            guard let word = line.dropFirst("B: KEY=".count).split(separator: " ").last,
                let bits = UInt64(word, radix: 16)
            else { return false }
            return letters & bits == letters
        }
    }

    /// KEY_ENTER, KEY_A, KEY_Z and KEY_SPACE (linux/input-event-codes.h): a power button or a remote control has not all of them.
    private static let letters: UInt64 = 1 << 28 | 1 << 30 | 1 << 44 | 1 << 57
}
