import BusTesting

/// Real programs that hold selections.
enum ClipboardPuppet {
    static func xclip(_ selection: String, _ text: String, on display: String) throws -> ChildProcess {
        try ChildProcess(
            ["sh", "-c", #"printf %s "$1" | exec xclip -quiet -selection "$0""#, selection, text],
            environment: ["DISPLAY": display])
    }

    static func xsel(_ option: String, _ text: String, on display: String) throws -> ChildProcess {
        try ChildProcess(
            ["sh", "-c", #"printf %s "$1" | exec xsel --nodetach --input "$0""#, option, text],
            environment: ["DISPLAY": display])
    }

    /// Owns CLIPBOARD and takes it back as often as it is told when it loses it.
    static func manager(taking times: Int, isKnown: Bool = false, on display: String) async throws -> ChildProcess {
        let script = """
            import sys
            from Xlib import X, display
            d = display.Display()
            w = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            clipboard = d.intern_atom("CLIPBOARD")
            left = int(sys.argv[1])
            w.set_selection_owner(clipboard, X.CurrentTime)
            if sys.argv[2] == "known":
                w.set_selection_owner(d.intern_atom("CLIPBOARD_MANAGER"), X.CurrentTime)
            d.sync()
            print("owner", flush=True)
            while True:
                event = d.next_event()
                if event.type == X.SelectionClear and event.atom == clipboard and left:
                    left -= 1
                    w.set_selection_owner(clipboard, X.CurrentTime)
                    d.flush()
            """
        let process = try ChildProcess(
            ["python3", "-c", script, "\(times)", isKnown ? "known" : "unknown"], environment: ["DISPLAY": display])
        let line = await process.nextLine()
        guard line == "owner" else { throw TestingError(line ?? "no manager") }
        return process
    }
}
