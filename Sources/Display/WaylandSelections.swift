import CLinux
import Glibc
package import LinuxSystem
package import Processes

/// The selections of a Wayland session, through wl-clipboard's tools.
///
/// They need the data-control protocol, which wlroots compositors and KWin have: without it a program may touch the
/// clipboard only while it has the focus, and the tools then hang.
package struct WaylandSelections: ClipboardSide {
    let address: WaylandAddress
    let launcher: Launcher
    private let environment: [String: String]

    /// Nil when the environment names no Wayland display.
    package init?(environment: [String: String], launcher: Launcher) {
        guard let address = WaylandAddress(environment: environment) else { return nil }
        self.address = address
        self.launcher = launcher
        // Their words are compared, so they must come untranslated.
        self.environment = [
            "WAYLAND_DISPLAY": address.path, "XDG_RUNTIME_DIR": environment["XDG_RUNTIME_DIR"] ?? "",
            "PATH": "/usr/bin:/bin", "LANG": "C",
        ]
    }

    package func clear(limit: TimeLimit) async -> String? {
        switch await protocols(limit) {
        case .failure(let fault): return fault.text
        case .success(let kinds):
            for kind in kinds {
                let result = await run(["wl-copy"] + kind.arguments + ["--clear"], limit)
                guard case .ended(0, _) = result else { return result.fault("wl-copy") }
            }
            return nil
        }
    }

    package func look(limit: TimeLimit) async -> ClipboardLook {
        switch await protocols(limit) {
        case .failure(let fault): return ClipboardLook(fault: fault.text)
        case .success(let kinds):
            var seen = ClipboardLook()
            for kind in kinds {
                let result = await run(["wl-paste"] + kind.arguments + ["--list-types"], limit)
                switch result {
                case .ended(0, _): seen.held.append(kind.name)
                case .ended(1, let words) where Self.saysEmpty(words): break
                default: seen.fault = seen.fault ?? result.fault("wl-paste")
                }
            }
            return seen
        }
    }

    package func warning() async -> String? {
        await look(limit: TimeLimit(.seconds(3))).fault
    }

    /// 2.0 and 2.1 say the first, later versions the second.
    private static func saysEmpty(_ words: String) -> Bool {
        ["No selection", "Nothing is copied"].contains { words.firstRange(of: $0) != nil }
    }

    private struct Kind {
        let name: String
        let arguments: [String]
    }

    private struct Fault: Error {
        let text: String
    }

    /// What this compositor lets be cleared.
    private func protocols(_ limit: TimeLimit) async -> Result<[Kind], Fault> {
        let address = address
        let offered = await OwnThread.run(limit: limit) { WaylandRegistry.interfaces(at: address, limit: limit) }
        guard let offered = offered ?? nil else {
            return .failure(Fault(text: "the Wayland compositor does not answer"))
        }
        guard let unsupported = WaylandRegistry.unsupported(offered) else {
            let clipboard = Kind(name: "clipboard", arguments: [])
            let hasPrimary =
                offered["zwlr_data_control_manager_v1"] ?? 0 >= 2 || offered["ext_data_control_manager_v1"] != nil
            return .success(hasPrimary ? [clipboard, Kind(name: "primary", arguments: ["--primary"])] : [clipboard])
        }
        return .failure(Fault(text: unsupported))
    }

    private enum Run {
        case ended(Int32, String)
        case notStarted
        case late

        func fault(_ tool: String) -> String {
            switch self {
            case .ended(let code, _): "\(tool) failed with \(code)"
            case .notStarted: "\(tool) cannot be run: install the package wl-clipboard"
            case .late: "\(tool) did not end in time"
            }
        }
    }

    private func run(_ command: [String], _ limit: TimeLimit) async -> Run {
        // Not blocking: we do not read while the tool runs, and its few words fit.
        guard let (words, writing) = Descriptor.pipe(O_NONBLOCK) else { return .notStarted }
        let child: Child
        do {
            let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
            guard nowhere >= 0 else { return .notStarted }
            child = try await launcher.start(
                ["/usr/bin/" + (command.first ?? "")] + command.dropFirst(), environment: environment,
                descriptors: [1: Descriptor(owning: nowhere), 2: writing])
        } catch {
            return .notStarted
        }
        guard let code = await child.exit(limit: limit) else {
            child.kill()
            _ = await child.exit(limit: TimeLimit(.seconds(1)))
            return .late
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(words.raw, &bytes, bytes.count)
        return .ended(code, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }
}
