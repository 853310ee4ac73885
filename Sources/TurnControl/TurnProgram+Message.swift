extension TurnProgram {
    /// Why a program cannot be asked for.
    public enum Unsendable: Error, Sendable, Equatable {
        case noArguments
        /// More than the message may have, or longer.
        case tooLarge
        /// A text has a NUL byte, or a descriptor's number is above 250 or twice there.
        case invalid
    }

    static let version: UInt8 = 1
    static let mostBytes = 128 * 1024
    static let mostStrings = 2048
    static let mostDescriptors = 16

    /// The one packet that `baton-turn-start` reads: version, number of descriptors, number of arguments and of environment
    /// variables (little-endian, 16 bits each), the numbers of the descriptors, then folder, arguments and environment,
    /// each with a NUL byte at its end.
    func message() throws(Unsendable) -> [UInt8] {
        guard let program = arguments.first, !program.isEmpty else { throw .noArguments }
        guard arguments.count + environment.count <= Self.mostStrings, handed.count <= Self.mostDescriptors else {
            throw .tooLarge
        }
        let numbers = handed.map(\.number)
        guard numbers.allSatisfy({ $0 <= 250 }), Set(numbers).count == numbers.count else { throw .invalid }
        var bytes = [Self.version, UInt8(handed.count)]
        for count in [arguments.count, environment.count] { bytes += [UInt8(count & 0xff), UInt8(count >> 8)] }
        bytes += numbers
        for text in [folder] + arguments + environment {
            guard !text.utf8.contains(0) else { throw .invalid }
            bytes += text.utf8
            bytes.append(0)
        }
        guard bytes.count <= Self.mostBytes else { throw .tooLarge }
        return bytes
    }
}
