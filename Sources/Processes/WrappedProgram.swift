import Glibc
package import LinuxSystem
package import Vocabulary

/// A program with everything that it starts, whose end can be proven; it keeps the user's files, bus and display.
package protocol WrappedProgram: Sendable {
    /// What its end will prove.
    var proof: Proof { get }

    /// Passes a signal on to the program itself, not to what it started.
    func send(_ signal: Int32)

    /// Waits until the program itself has ended: its exit code, or 128 + the signal that ended it; nil if the task was
    /// cancelled, or if it is not known.
    func exit() async -> Int32?

    /// Kills all of it and waits until it is gone; nil, or why that is not proven. Safe to call more than once.
    func end(limit: TimeLimit) async -> String?
}

/// Starts programs in the strongest way that this machine has for one that keeps what it may do.
package struct ProgramWrapper: Sendable {
    package let proof: Proof
    private let launcher: Launcher
    /// This program's own file, which plays the reaper.
    private let reaper: String

    /// Tries a pid namespace with a real program.
    ///
    /// - Parameter namespace: False: it is not tried. In a namespace of its own a program cannot gain rights (`sudo`).
    package static func detect(namespace: Bool, launcher: Launcher = Launcher()) async -> ProgramWrapper {
        let reaper = "/proc/\(getpid())/exe"
        let best = ProgramWrapper(proof: .namespace, launcher: launcher, reaper: reaper)
        let other = ProgramWrapper(proof: .tree, launcher: launcher, reaper: reaper)
        guard namespace, let trial = try? await best.start(["/bin/sleep", "60"], environment: [:]) else { return other }
        return await trial.end(limit: TimeLimit(.seconds(5))) == nil ? best : other
    }

    /// Returns when the program is on its way; what it cannot do then is its exit code.
    ///
    /// - Parameters:
    ///   - command: An absolute path and arguments.
    ///   - descriptors: As for `Launcher.start`.
    package func start(
        _ command: [String], environment: [String: String], descriptors: [Int32: Descriptor] = [:]
    ) async throws(LaunchFault) -> any WrappedProgram {
        let limit = TimeLimit(.seconds(10))
        if proof == .namespace {
            return try await NamespacedProgram.start(command, environment, descriptors, launcher, limit)
        }
        return try await ReapedProgram.start(command, environment, descriptors, launcher, reaper: reaper, limit)
    }
}
