import CLinux
import Glibc
import LinuxSystem
import Sandbox
import Synchronization

/// A shell in a sandbox that stands for an app, and whose output the test reads.
struct ConfinedShell {
    let confinement: any Confinement
    let output: Output

    /// - Parameter script: Writes to descriptor 3, which the test reads.
    static func start(
        _ script: String, in confiner: Confiner, arguments: [String] = [],
        _ change: (inout ConfinedProgram) -> Void = { _ in }
    ) async throws -> ConfinedShell {
        let output = try Output()
        var program = ConfinedProgram(name: "shell", command: ["/bin/sh", "-c", script, "sh"] + arguments)
        program.seesDisplay = false
        program.descriptors[3] = output.takeWriting()
        change(&program)
        return ConfinedShell(confinement: try await confiner.start(program), output: output)
    }

    /// Runs a script to its end: all that it wrote.
    static func run(
        _ script: String, in confiner: Confiner, arguments: [String] = [],
        _ change: (inout ConfinedProgram) -> Void = { _ in }
    ) async throws -> String {
        let shell = try await start(script, in: confiner, arguments: arguments, change)
        await shell.confinement.untilGone()
        return await shell.output.rest()
    }
}

/// The reading end of a pipe.
final class Output: Sendable {
    struct Failure: Error {}

    private let reading: Descriptor
    private let writing: Mutex<Descriptor?>

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard baton_pipe(&ends, 0) == 0 else { throw Failure() }
        reading = Descriptor(owning: ends[0])
        writing = Mutex(Descriptor(owning: ends[1]))
    }

    /// The other end, once: who takes it closes it.
    func takeWriting() -> Descriptor? {
        writing.withLock { writing in
            defer { writing = nil }
            return writing
        }
    }

    func line() async -> String {
        await OnThread.run { [reading] in
            var result: [UInt8] = []
            var byte: UInt8 = 0
            // No time limit reaches a thread that reads.
            var item = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, 100_000) > 0, read(reading.raw, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
                result.append(byte)
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// What is there now; for a program that has ended.
    func rest() async -> String {
        await OnThread.run { [reading] in
            var result: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65536)
            var item = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, 0) > 0 {
                let count = read(reading.raw, &buffer, buffer.count)
                if count <= 0 { break }
                result += buffer.prefix(count)
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}

/// Reading a pipe blocks, which is not for a thread of the pool.
enum OnThread {
    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                    return nil
                }, work.toOpaque())
            precondition(failure == 0, "no thread")
            pthread_detach(thread)
        }
    }
}

extension TimeLimit {
    static var long: TimeLimit { TimeLimit(.seconds(30)) }
}
