import Glibc
import TerminalTesting

/// A process that keeps connections to a port of 127.0.0.1 open, sends a byte of a request on each now and then, and opens
/// another one for each that is closed.
struct HalfRequests {
    private let program: Program

    /// Another user's where the tests run as root; returns when the connections are made.
    static func start(_ count: Int, toPort port: Int) async throws -> HalfRequests {
        let user = geteuid() == 0 ? ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"] : []
        let program = try Program(user + ["/usr/bin/python3", "-c", script, "\(port)", "\(count)"])
        try await program.line(containing: "open")
        return HalfRequests(program: program)
    }

    /// Waits until one of them was closed.
    func end() async throws { try await program.line(containing: "closed") }

    private static let script = """
        import select, socket, sys
        port, count = int(sys.argv[1]), int(sys.argv[2])
        poll, sockets, has_told = select.poll(), {}, False
        def connect():
            connection = socket.create_connection(('127.0.0.1', port))
            connection.setblocking(False)
            connection.send(b'GET /done HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nX-Slow: ')
            sockets[connection.fileno()] = connection
            poll.register(connection, select.POLLIN)
        for _ in range(count):
            connect()
        print('open', flush=True)
        while True:
            closed = poll.poll(200)
            for number, _ in closed:
                poll.unregister(number)
                sockets.pop(number).close()
                connect()
            if closed and not has_told:
                has_told = True
                print('closed', flush=True)
            if not closed:
                for connection in sockets.values():
                    try:
                        connection.send(b'x')
                    except OSError:
                        pass
        """
}
