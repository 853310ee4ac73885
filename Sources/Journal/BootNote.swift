import SessionMachine
import Vocabulary

/// What this boot has seen of the journal, in the runtime folder: it outlives a state folder that is lost or put back whole, as
/// from a snapshot. A reboot ends it, as it ends all that runs.
package struct BootNote: Hashable, Sendable {
    /// Whose journal it is.
    var deviceID: String
    package var journalID: String
    /// Registrations have had numbers below this.
    var nextInstance: Instance
    var mark: EpochMark

    init(deviceID: String, journalID: String, nextInstance: Instance, mark: EpochMark) {
        self.deviceID = deviceID
        self.journalID = journalID
        self.nextInstance = nextInstance
        self.mark = mark
    }

    /// Nil: there is none that can be read, or it is about another device's journal.
    package init?(in directory: String, of deviceID: String?) {
        let bytes = (try? StateFolder.read(Self.path(in: directory), limit: 512)) ?? nil
        guard let lines = bytes.map({ String(decoding: $0, as: UTF8.self).split(separator: "\n") }), lines.count == 4,
            let next = Instance(lines[2]), next <= .greatest, let mark = EpochMark(text: String(lines[3])),
            lines[0] == deviceID ?? String(lines[0])
        else { return nil }
        self.init(deviceID: String(lines[0]), journalID: String(lines[1]), nextInstance: next, mark: mark)
    }

    /// A failure is none of the journal's: the note only helps.
    func write(in directory: String) {
        let text = "\(deviceID)\n\(journalID)\n\(nextInstance)\n\(mark.text)\n"
        try? StateFolder(path: directory).replace(Self.path(in: directory), with: text, isDurable: false)
    }

    private static func path(in directory: String) -> String { directory + "/journal-seen" }
}
