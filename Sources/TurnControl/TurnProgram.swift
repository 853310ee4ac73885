public import LinuxSystem

/// A program that is to run in a turn, as the turn's user.
///
/// All of it goes over a socket: nothing of it is in a unit's file, the journal, or a command line of another user.
public struct TurnProgram: Sendable {
    /// One of the descriptors that the program is handed, and under which number it finds it.
    public struct Handed: Sendable {
        public var descriptor: Descriptor
        public var number: UInt8

        /// - Parameter number: 0 to 250. Without 0 the program reads nothing; without 1 and 2 its unit's log has what it prints.
        public init(_ descriptor: Descriptor, as number: UInt8) {
            self.descriptor = descriptor
            self.number = number
        }
    }

    /// The program, looked for in the turn's `PATH`, and its arguments; not empty.
    public var arguments: [String]
    /// `NAME=VALUE`; all that the program has.
    public var environment: [String]
    /// Where it begins; empty: where its unit does.
    public var folder: String
    public var handed: [Handed]

    public init(arguments: [String], environment: [String] = [], folder: String = "", handed: [Handed] = []) {
        self.arguments = arguments
        self.environment = environment
        self.folder = folder
        self.handed = handed
    }
}
