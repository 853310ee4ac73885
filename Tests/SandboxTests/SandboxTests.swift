import BusTesting
import CLinux
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Processes
import Sandbox
import Testing
import Vocabulary

/// What a program in bubblewrap sees and keeps.
@Suite(.asOrdinaryUser, .needsNamespaces, .timeLimit(.minutes(2))) struct SandboxTests {
    private func confiner(_ change: (inout Surroundings) -> Void = { _ in }) async throws -> Confiner {
        var surroundings = Surroundings()
        change(&surroundings)
        let confiner = await Confiner.detect(surroundings)
        try #require(confiner.proof == .namespace, "this machine has no user namespaces")
        return confiner
    }

    @Test func `the folders of the session are empty and writable, and what is written there is nowhere outside`()
        async throws
    {
        let confiner = try await confiner()
        let name = "baton-trace-\(getpid())"
        let script = """
            for folder in "$HOME" /tmp /var/tmp /dev/shm "$XDG_RUNTIME_DIR"; do
                # The way to the home folder may lead through one of the others.
                for entry in $(ls -A "$folder"); do
                    case "$XDG_RUNTIME_DIR/" in "$folder/$entry/"*) ;; *) echo "$folder/$entry" >&3 ;; esac
                done
                echo secret >"$folder/$1" || echo "not writable: $folder" >&3
            done
            [ "$(stat -c %a "$XDG_RUNTIME_DIR")" = 700 ] || echo "runtime folder is open" >&3
            for folder in / /usr /etc /run/lock; do echo x 2>/dev/null >"$folder/$1" && echo "writable: $folder" >&3; done
            [ "$TMPDIR $(pwd)" = "/tmp $HOME" ] || echo "in $(pwd)" >&3
            exit 0
            """
        #expect(try await ConfinedShell.run(script, in: confiner, arguments: [name]) == "")
        for folder in [confiner.surroundings.home, "/tmp", "/var/tmp", "/dev/shm", confiner.surroundings.runtime] {
            #expect(access("\(folder)/\(name)", F_OK) != 0)
        }
    }

    @Test func `nothing of the agent's environment comes in but language and display`() async throws {
        let confiner = try await confiner {
            $0.environment["SECRET_OF_THE_AGENT"] = "token"
            $0.environment["LC_TIME"] = "hr_HR.UTF-8"
            $0.environment["DISPLAY"] = ":47"
            $0.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/run/user/1/bus"
        }
        let output = try await ConfinedShell.run("env >&3", in: confiner) {
            $0.environment["APP"] = "its own"
            $0.seesDisplay = true
        }
        let names = Set(output.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) })
        let own: Set = [
            "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "PATH", "PWD", "OLDPWD", "_", "SHLVL", "APP", "DISPLAY",
            "XAUTHORITY", "LANG", "LC_TIME", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS",
        ]
        #expect(names.filter { !$0.hasPrefix("XDG_") }.isSubset(of: own))
        #expect(output.contains("APP=its own\n"))
        #expect(output.contains("LC_TIME=hr_HR.UTF-8\n"))
        #expect(output.contains("DISPLAY=:47\n"))
        #expect(output.contains("DBUS_SESSION_BUS_ADDRESS=disabled:\n"))
    }

    @Test func `it gets exactly the descriptors that it was given`() async throws {
        let confiner = try await confiner()
        // One that the agent inherited or a library opened carelessly.
        let careless = open("/etc/hostname", O_RDONLY)
        defer { close(careless) }
        let given = Descriptor(owning: open("/etc/passwd", O_RDONLY | O_CLOEXEC))
        // The list itself needs a descriptor, which is closed when the names are looked at.
        let script =
            #"for one in /proc/$$/fd/*; do [ -e "$one" ] && printf '%s ' "${one##*/}" >&3; done; "#
            + "readlink /proc/$$/fd/7 >&3"
        let output = try await ConfinedShell.run(script, in: confiner) { $0.descriptors[7] = given }
        #expect(output == "0 1 2 3 7 /etc/passwd\n")
    }

    @Test func `it is alone: no process outside, no core files, no new rights`() async throws {
        let confiner = try await confiner()
        let script = """
            set -- /proc/[0-9]*; echo $# >&3
            ulimit -Hc >&3
            grep NoNewPrivs /proc/self/status | tr '\\t' ' ' >&3
            grep -E 'Cap(Prm|Eff)' /proc/self/status | grep -v 0000000000000000 >&3
            sed -n 's/ *\\([a-z0-9]*\\):.*/\\1/p' /proc/net/dev >&3
            """
        let output = try await ConfinedShell.run(script, in: confiner) { $0.sharesNetwork = false }
        // bubblewrap's first process and the shell.
        #expect(output == "2\n0\nNoNewPrivs: 1\nlo\n")
    }

    @Test func `shares are shown as they were asked for`() async throws {
        let confiner = try await confiner()
        let folder = try TemporaryFolder.inHome()
        try folder.write("yes\n", to: "kept")
        let script = """
            cat "$1/kept" >&3; echo more >>"$1/kept" && echo written >&3
            cat "$HOME/there/kept" >&3; echo x 2>/dev/null >>"$HOME/there/kept" && echo written again >&3
            exit 0
            """
        let output = try await ConfinedShell.run(script, in: confiner, arguments: [folder.path]) {
            $0.shares = [
                ConfinedProgram.Share(folder.path, isWritable: true),
                ConfinedProgram.Share(folder.path, as: confiner.surroundings.home + "/there"),
            ]
        }
        #expect(output == "yes\nwritten\nyes\nmore\n")
        #expect(folder.text(of: "kept") == "yes\nmore\n")
    }

    @Test func `the display's socket and its key come in where it is shown, and only there`() async throws {
        let folder = try TemporaryFolder.inHome()
        try folder.write("socket\n", to: "wayland-7")
        try folder.write("cookie\n", to: "key")
        let confiner = try await confiner {
            $0.environment["WAYLAND_DISPLAY"] = folder.path + "/wayland-7"
            $0.environment["DISPLAY"] = ":4747"
            $0.environment["XAUTHORITY"] = folder.path + "/key"
        }
        let script = #"cat "$WAYLAND_DISPLAY" "$XAUTHORITY" >&3 2>/dev/null; echo "$DISPLAY" >&3"#
        #expect(
            try await ConfinedShell.run(script, in: confiner) { $0.seesDisplay = true } == "socket\ncookie\n:4747\n")
        #expect(try await ConfinedShell.run(script, in: confiner) == "\n")
    }

    @Test func `a program that is not there, and a share that is not there, are told by name`() async throws {
        let folder = try TemporaryFolder.inHome()
        let confiner = try await confiner { $0.runtime = folder.path }
        await #expect(throws: LaunchFault.missing("/no/such/program")) {
            try await confiner.start(ConfinedProgram(name: "none", command: ["/no/such/program"]))
        }
        var program = ConfinedProgram(name: "none", command: ["/bin/true"])
        program.shares = [ConfinedProgram.Share("/no/such/share")]
        do {
            _ = try await confiner.start(program)
            Issue.record("it started")
        } catch {
            #expect("\(error)".contains("/no/such/share"))
        }
        #expect(names(in: folder.path + "/baton-agent") == [])
    }

    // MARK: The end

    static let crowds = [
        "sleep 1000 & wait",
        // Double-forked, in sessions of their own, deaf to all that can be ignored.
        "trap '' TERM HUP INT; (setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000 & setsid sleep 1000 & wait' &) ; wait; sleep 1000",
        // Everything stopped.
        "setsid sleep 1000 & sleep 1000 & kill -STOP $! ; echo up >&3; kill -STOP $$",
        // Forks for as long as it lives.
        "while :; do (sleep 0.01 &); done",
    ]

    @Test(arguments: crowds) func `one kill ends everything in it`(crowd: String) async throws {
        let confiner = try await confiner()
        let shell = try await ConfinedShell.start("echo up >&3; " + crowd, in: confiner)
        #expect(await shell.output.line() == "up")
        let inside = Processes.inNamespace(of: shell.confinement.process.pid)
        #expect(inside.count > 1)
        // Some of them live for a hundredth of a second, and one whose parent ends while it is looked at has another then.
        let confinement = shell.confinement
        #expect(inside.allSatisfy { confinement.holds($0) || Processes.isGone($0) || confinement.holds($0) })
        #expect(await shell.confinement.end(limit: .long) == nil)
        #expect(inside.allSatisfy { Processes.isGone($0) })
        #expect(shell.confinement.process.isGone)
        // Again, as when two ask for it.
        #expect(await shell.confinement.end(limit: .long) == nil)
        await shell.confinement.untilGone()
    }

    @Test func `with the program ends what it left running`() async throws {
        let confiner = try await confiner()
        let shell = try await ConfinedShell.start("setsid sleep 1000 & echo up >&3; read wait <&4", in: confiner) {
            $0.descriptors[4] = Descriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        }
        await shell.confinement.untilGone()
        #expect(shell.confinement.process.isGone)
        #expect(!shell.confinement.holds(getpid()))
    }
}
