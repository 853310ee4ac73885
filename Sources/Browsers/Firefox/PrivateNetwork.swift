import CLinux
import Glibc
import LinuxSystem
import Processes

/// slirp4netns: connects a network namespace, which has nothing but its own loopback, to the outside. What listens inside
/// cannot be reached from outside, and what listens on this machine's loopback cannot be reached from inside.
final class PrivateNetwork: Sendable {
    /// This machine's loopback as seen from inside, where that is wanted.
    static let hostLoopback = "10.0.2.2"

    private let child: Child
    /// slirp4netns ends when this is closed, also by our own end.
    private let life: Descriptor

    private init(child: Child, life: Descriptor) {
        self.child = child
        self.life = life
    }

    /// Connects the namespace of a process.
    ///
    /// - Parameters:
    ///   - process: One whose sandbox is set up; bwrap's own work on the loopback interface fails when something else
    ///     changes the namespace meanwhile.
    ///   - reachesLoopback: Whether 10.0.2.2 is this machine's loopback. For tests.
    static func attach(
        to process: ProcessHandle, reachesLoopback: Bool, launcher: Launcher, limit: TimeLimit
    ) async throws(LaunchFault) -> PrivateNetwork {
        let namespace = Descriptor(owning: open("/proc/\(process.pid)/ns/net", O_RDONLY | O_CLOEXEC))
        // bwrap made the network before its second user namespace: the first one, which owns it, is asked for by descriptor.
        let owner = Descriptor(owning: baton_owning_user_namespace(namespace.raw))
        guard namespace.raw >= 0, owner.raw >= 0, !process.isGone else {
            throw .failed("the sandbox's network namespace cannot be opened")
        }
        let (lifeEnd, life) = try pipe()
        let (ready, readyEnd) = try pipe()
        let nowhere = Descriptor(owning: open("/dev/null", O_WRONLY | O_CLOEXEC))
        var command = ["/usr/bin/slirp4netns", "--configure", "--mtu=65520"]
        if !reachesLoopback { command.append("--disable-host-loopback") }
        command += [
            "--exit-fd=3", "--ready-fd=4", "--userns-path=/proc/self/fd/5", "--netns-type=path", "/proc/self/fd/6",
            "tap0",
        ]
        let child = try await launcher.start(
            command, environment: ["PATH": "/usr/bin:/bin"],
            descriptors: [1: nowhere, 2: nowhere, 3: lifeEnd, 4: readyEnd, 5: owner, 6: namespace])
        let network = PrivateNetwork(child: child, life: life)
        // Only the child's own copy may keep the pipe open: its end is then seen as the end of the pipe.
        guard await isReady(ready, limit) else {
            _ = await network.end(limit: TimeLimit(.seconds(1)))
            throw .failed(missingDevice(forOthers: false) ?? "slirp4netns did not connect the sandbox")
        }
        return network
    }

    /// What is wrong with the device that slirp4netns needs; nil: it can be opened.
    ///
    /// - Parameter forOthers: By other users, such as a turn's.
    static func missingDevice(forOthers: Bool) -> String? {
        let device = "/dev/net/tun"
        var status = stat()
        guard stat(device, &status) == 0 else { return "slirp4netns needs \(device), which there is not" }
        let open = S_IROTH | S_IWOTH
        let isOpen = forOthers ? status.st_mode & open == open : access(device, R_OK | W_OK) == 0
        return isOpen ? nil : "slirp4netns needs \(device), which is closed to it: udev gives it the mode 0666"
    }

    /// Ends and reaps it; nil, or that this was not seen.
    func end(limit: TimeLimit) async -> String? {
        child.kill()
        return await child.exit(limit: limit) == nil ? "slirp4netns still runs" : nil
    }

    var pid: Int32 { child.pid }

    private static func pipe() throws(LaunchFault) -> (read: Descriptor, write: Descriptor) {
        guard let ends = Descriptor.pipe() else { throw .failed("no descriptors left") }
        return ends
    }

    private static func isReady(_ ready: Descriptor, _ limit: TimeLimit) async -> Bool {
        await FirefoxChannel.byte(from: ready, limit: limit)
    }
}
