import BusTesting
import FoundationEssentials
import Glibc
import Synchronization

/// Chromium as it is, started without Baton, with its debugging pipe: for runs that show what nobody cleared.
public final class PipedChromium: Sendable {
    public let pid: Int32
    private let pipe: Int32
    private let next = Mutex(0)
    private let replies = Watched<(byID: [Int: [UInt8]], hasEnded: Bool)>(([:], false))

    private struct Head: Decodable {
        struct Failure: Decodable { var message: String }
        var id: Int?
        var error: Failure?
    }

    /// - Parameter home: A folder that stands for the person's; the profile is in it.
    public init(home: String, display: String, arguments: [String]) throws {
        let (own, theirs) = try Self.pipe()
        defer { Glibc.close(theirs) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, theirs, 3)
        posix_spawn_file_actions_adddup2(&actions, theirs, 4)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let words =
            [
                "chromium", "--user-data-dir=\(home)/profile", "--remote-debugging-pipe", "--no-first-run",
                "--password-store=basic", "--disable-component-update",
            ] + arguments
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
        // Without a session bus, or one would be started and outlive this.
        let variables = ["HOME=\(home)", "DISPLAY=\(display)", "PATH=\(path)", "DBUS_SESSION_BUS_ADDRESS=disabled:"]
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, "chromium", &actions, &attributes, &argv, &envp)
        guard failure == 0 else { throw TestingError("cannot start chromium: \(failure)") }
        pid = child
        pipe = own
        let replies = replies
        Task { await onThreadOfItsOwn { Self.readAll(own, into: replies) } }
    }

    deinit {
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Types into the page whose address contains a text, and presses Enter.
    public func type(_ text: String, intoPageAt address: String) async throws {
        let targets = try await answer(Targets.self, "Target.getTargets").targetInfos
        guard let target = targets.first(where: { $0.url.contains(address) }) else {
            throw TestingError("no page at \(address)")
        }
        let session = try await attach(to: target.targetId)
        for letter in text {
            for type in ["keyDown", "keyUp"] {
                try await call(
                    "Input.dispatchKeyEvent", #"{"type":"\#(type)","text":"\#(letter)","key":"\#(letter)"}"#,
                    session: session)
            }
        }
        for type in ["keyDown", "keyUp"] {
            try await call(
                "Input.dispatchKeyEvent",
                #"{"type":"\#(type)","key":"Enter","code":"Enter","windowsVirtualKeyCode":13,"text":"\r"}"#,
                session: session)
        }
    }

    /// Opens a window over the whole screen, and returns when two frames of the page are drawn.
    public func showWindow(_ address: String) async throws {
        let target = try await answer(
            Created.self, "Target.createTarget",
            #"{"url":"\#(address)","newWindow":true,"windowState":"fullscreen"}"#
        ).targetId
        let session = try await attach(to: target)
        let frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        try await call(
            "Runtime.evaluate", #"{"expression":"\#(frames)","awaitPromise":true}"#, session: session)
    }

    /// - Returns: The session in which the target's own methods are called.
    func attach(to target: String) async throws -> String {
        try await answer(
            Attachment.self, "Target.attachToTarget", #"{"targetId":"\#(target)","flatten":true}"#
        ).sessionId
    }

    struct Created: Decodable { var targetId: String }
    private struct Answer<Result: Decodable>: Decodable { var result: Result }
    private struct Attachment: Decodable { var sessionId: String }
    private struct Targets: Decodable {
        struct Target: Decodable {
            var targetId: String
            var url: String
        }
        var targetInfos: [Target]
    }

    func answer<Result: Decodable>(
        _ type: Result.Type, _ method: String, _ parameters: String = "{}", session: String? = nil
    ) async throws -> Result {
        let text = try await call(method, parameters, session: session)
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(text.utf8)).result
    }

    /// Calls a method of the protocol; `parameters` is JSON.
    @discardableResult
    public func call(
        _ method: String, _ parameters: String = "{}", session: String? = nil
    ) async throws -> String {
        let id = next.withLock { next in
            next += 1
            return next
        }
        let place = session.map { "\"sessionId\":\"\($0)\"," } ?? ""
        let message = Array("{\"id\":\(id),\"method\":\"\(method)\",\(place)\"params\":\(parameters)}".utf8) + [0]
        guard !replies.read({ $0.hasEnded }), send(pipe, message, message.count, Int32(MSG_NOSIGNAL)) == message.count
        else {
            throw TestingError("no pipe")
        }
        let reply = try await replies.wait { state -> [UInt8]? in
            state.byID[id] ?? (state.hasEnded ? [] : nil)
        }
        if let failure = (try? JSONDecoder().decode(Head.self, from: Data(reply)))?.error {
            throw TestingError("\(method): \(failure.message)")
        }
        guard !reply.isEmpty else { throw TestingError("\(method): the browser has ended") }
        return String(decoding: reply, as: UTF8.self)
    }

    /// Lets it end as a person would, so that it writes all it has to its profile.
    public func close() async throws {
        _ = try? await call("Browser.close")
        try await replies.wait { $0.hasEnded ? () : nil }
        let pid = pid
        await onThreadOfItsOwn {
            var status = siginfo_t()
            // Left for `deinit` to reap, so that the number stays its own.
            waitid(P_PID, id_t(pid), &status, WEXITED | WNOWAIT)
        }
    }

    private static func readAll(_ descriptor: Int32, into replies: Watched<(byID: [Int: [UInt8]], hasEnded: Bool)>) {
        defer { Glibc.close(descriptor) }
        var message: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { return replies.change { $0.hasEnded = true } }
            for byte in piece.prefix(count) {
                guard byte == 0 else {
                    message.append(byte)
                    continue
                }
                let whole = message
                message = []
                guard let id = (try? JSONDecoder().decode(Head.self, from: Data(whole)))?.id else { continue }
                replies.change { $0.byID[id] = whole }
            }
        }
    }

    /// Both ways in one; above 9, so that the child's 3 and 4 are nobody's yet.
    private static func pipe() throws -> (own: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestingError("no pipe") }
        defer { ends.forEach { Glibc.close($0) } }
        let (own, theirs) = (fcntl(ends[0], F_DUPFD_CLOEXEC, 10), fcntl(ends[1], F_DUPFD_CLOEXEC, 10))
        guard own >= 0, theirs >= 0 else { throw TestingError("no pipe") }
        return (own, theirs)
    }
}
