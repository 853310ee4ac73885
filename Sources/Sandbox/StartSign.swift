import CLinux
import Glibc
import LinuxSystem
import Processes

/// Follows a program on its way into a sandbox: a pipe is the standard error of all that stands before the program itself.
///
/// A small shell between the two checks that the program is there, says so, and gives it its own standard error.
struct StartSign {
    /// What the program's way needs: its descriptors, the pipe, and its standard error to be put in place.
    let descriptors: [Int32: Descriptor]
    private let saved: Int32
    private let reading: Descriptor

    init(_ program: ConfinedProgram) throws(LaunchFault) {
        // Shells know only these numbers.
        guard let saved = (Int32(3)...9).reversed().first(where: { program.descriptors[$0] == nil }) else {
            throw .failed("one of the descriptors 3 to 9 must be free")
        }
        guard let (reading, writing) = Descriptor.pipe(O_NONBLOCK) else { throw .failed("no descriptors left") }
        self.reading = reading
        // What programs print may be a worker's: it does not belong into the agent's log.
        let raw = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard raw >= 0 else { throw .failed("no descriptors left") }
        let nowhere = Descriptor(owning: raw)
        self.saved = saved
        descriptors = program.descriptors.merging(
            [1: program.descriptors[1] ?? nowhere, 2: writing, saved: program.descriptors[2] ?? nowhere]) { $1 }
    }

    /// - Parameter group: The `cgroup.procs` that the process joins before it becomes the program.
    func command(_ command: [String], joining group: String? = nil) -> [String] {
        let join = group == nil ? "" : #"echo 0 >"$0" || exit 126; "#
        let script =
            join + #"[ -x "$1" ] || { echo missing >&2; exit 127; }; echo ready >&2; "#
            + #"exec 2>&\#(saved) \#(saved)>&-; exec "$@""#
        return ["/bin/sh", "-c", script, group ?? "sh"] + command
    }

    /// Waits until the program runs.
    func check(_ child: Child, program: String, limit: TimeLimit) async -> LaunchFault? {
        await withTaskCancellationHandler {
            await OwnThread.run { [reading] in Self.check(reading, child, program, limit) }
                ?? .failed("no threads left")
        } onCancel: {
            limit.cancel()
        }
    }

    private static func check(
        _ reading: Descriptor, _ child: Child, _ program: String, _ limit: TimeLimit
    ) -> LaunchFault? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // Looked at first: what it wrote before its end is then all there.
            let hasEnded = !child.isRunning
            var count = 1
            while count > 0, text.count < 65536 {
                count = read(reading.raw, &buffer, buffer.count)
                if count > 0 { text += buffer.prefix(count) }
            }
            let lines = text.split(separator: UInt8(ascii: "\n"))
            if lines.contains(where: { $0.elementsEqual("ready".utf8) }) { return nil }
            if lines.contains(where: { $0.elementsEqual("missing".utf8) }) { return .missing(program) }
            if hasEnded { return .failed(words(lines.last) ?? "it ended before it ran") }
            if limit.isOver { return .failed("it did not start in time") }
            var items = [
                pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            poll(&items, 2, limit.milliseconds(cap: 100))
        }
    }

    private static func words(_ line: ArraySlice<UInt8>?) -> String? {
        line.map {
            String(decoding: $0.prefix(300).map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        }
    }
}
