package import LinuxSystem
package import Vocabulary

/// That a keymap is remembered, and before which turn: for an agent after this one, and for a turn that ends without any.
package struct KeymapNote: Sendable {
    package struct Entry: Sendable, Equatable {
        package var epoch: Epoch
        /// The process that served the display then, for good.
        package var server: ProcessMark
        /// The worker's layout was set, or was about to be.
        package var isSet: Bool

        package init(epoch: Epoch, server: ProcessMark, isSet: Bool) {
            self.epoch = epoch
            self.server = server
            self.isSet = isSet
        }
    }

    private let note: RuntimeNote

    /// - Parameter folder: The agent's own.
    package init(folder: String) { note = RuntimeNote(path: folder + "/keymap.note") }

    package func write(_ entry: Entry) {
        note.write("\(entry.epoch.rawValue) \(entry.server.pid) \(entry.server.started) \(entry.isSet ? 1 : 0)\n")
    }

    package func read() -> Entry? {
        let fields = note.read()?.split(whereSeparator: { " \n".contains($0) }) ?? []
        guard fields.count == 4, let epoch = UInt64(fields[0]), let pid = Int32(fields[1]),
            let started = UInt64(fields[2])
        else { return nil }
        return Entry(
            epoch: Epoch(rawValue: epoch), server: ProcessMark(pid: pid, started: started), isSet: fields[3] == "1")
    }

    package func remove() { note.remove() }
}
