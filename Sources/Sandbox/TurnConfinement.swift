import LinuxSystem
import Processes
import TurnControl
import Vocabulary

/// A program that PID 1 has started as a turn's user, in a unit of its own below that turn's slice.
///
/// It is another user's, so no signal of ours reaches it: PID 1 ends it when its connection is closed, and batond ends the whole
/// slice.
final class TurnConfinement: Confinement {
    let name: String
    let proof = Proof.cgroup
    let endsWithTurn = true
    let process: ProcessHandle
    private let running: RunningTurnProgram
    /// Of the unit alone.
    private let group: TurnSlice

    private init(name: String, process: ProcessHandle, running: RunningTurnProgram, group: TurnSlice) {
        self.name = name
        self.process = process
        self.running = running
        self.group = group
    }

    static func start(
        _ program: ConfinedProgram, as number: TurnNumber, _ surroundings: Surroundings, limit: TimeLimit
    ) async throws(LaunchFault) -> TurnConfinement {
        async let busFault = TurnBus.fault(of: number, limit: limit)
        var command = program.command
        var environment = surroundings.base(home: TurnFolders.home, runtime: "/run/user/self", temporary: "/tmp")
        (environment["USER"], environment["LOGNAME"]) = (number.user, number.user)
        var descriptors = program.descriptors
        if program.seesDisplay {
            environment.merge(show(surroundings, &descriptors)) { $1 }
        }
        if program.bus == .baton {
            if let fault = await busFault { throw fault }
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = SystemBus.address
            command = TurnView(program.shares, surroundings).command(command)
        }
        if !program.sharesNetwork {
            command = TurnNetwork.command(command, bubblewrap: surroundings.bubblewrap)
        }
        environment.merge(program.environment) { $1 }
        let request = TurnProgram(
            arguments: command,
            environment: environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
            folder: TurnFolders.home,
            handed: descriptors.sorted { $0.key < $1.key }.compactMap { target, descriptor in
                UInt8(exactly: target).map { TurnProgram.Handed(descriptor, as: $0) }
            })
        let starter = TurnStarter(number, seesKeptData: program.shares.contains(where: \.isWritable))
        let started = await OwnThread.run(limit: limit) {
            Result { () throws(TurnStarter.Failure) in try starter.start(request, limit: limit) }
        }
        let running: RunningTurnProgram
        do throws(TurnStarter.Failure) {
            guard let started else { throw .noAnswer }
            running = try started.get()
        } catch {
            throw .failed("\(number.user): \(error.text)")
        }
        // The pid is the word of the turn's side; the kernel says whether it is in the slice.
        guard let process = ProcessHandle(pid: running.pid), let group = TurnSlice(of: running.pid, in: number) else {
            running.close()
            throw .failed("\(number.user): the program ended at once")
        }
        // A browser is handed no bus, but it could find it; its start does not wait for that.
        if let fault = await busFault {
            running.close()
            throw fault
        }
        return TurnConfinement(name: program.name, process: process, running: running, group: group)
    }

    /// On Wayland the program is handed a connection, since the socket lies in a folder of the session's user: one for itself, which
    /// nothing that it starts can use once it does. See wl_display_connect, `WAYLAND_SOCKET`. An X server asks who connects.
    private static func show(_ surroundings: Surroundings, _ descriptors: inout [Int32: Descriptor]) -> [String: String]
    {
        if let path = DisplayAccess.waylandSocket(surroundings), let connection = Descriptor.connected(to: path) {
            let number = (3...Int32(UInt8.max)).first { descriptors[$0] == nil } ?? 3
            descriptors[number] = connection
            // By the name, which nothing connects to, some programs know that they are not on X11.
            return ["WAYLAND_SOCKET": "\(number)", "WAYLAND_DISPLAY": "wayland-0"]
        }
        return surroundings.environment["DISPLAY"].map { ["DISPLAY": $0] } ?? [:]
    }

    func untilGone() async {
        guard await process.isGoneAtLast() else { return }
        _ = await end(limit: TimeLimit(.seconds(5)))
    }

    /// A program of the turn can have stopped what ends with the connection: no more time goes into that than a busy machine needs.
    private static let patience = Duration.seconds(2)

    func end(limit: TimeLimit) async -> String? {
        running.close()
        let limit = TimeLimit(min(limit.left, Self.patience))
        switch await OwnThread.run(limit: limit, { [group] in group.waitUntilEmpty(limit: limit) }) {
        case .empty: return nil
        case .populated: return "\(name): it did not end in time"
        case .unknown(let reason): return "\(name): \(reason)"
        case nil: return "\(name): the kernel was not heard in time"
        }
    }
}
