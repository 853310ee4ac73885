import Glibc
import LinuxSystem
import Vocabulary

/// What a note says of one sandbox, so that an agent that comes after a killed one can end it.
struct SandboxRecord: Equatable {
    enum Role: String, CaseIterable {
        /// The agent itself.
        case agent
        /// The one whose end is the proof.
        case first
        case outer
        case proxy
    }

    var name = ""
    var proof = Proof.pid
    var boot = ""
    var marks: [Role: ProcessMark] = [:]
    /// The control group's folder, or empty.
    var group = ""

    /// Of this boot: other processes have the numbers after the next one.
    static let currentBoot = BootID.current

    var text: String {
        var lines = ["proof \(proof.rawValue)", "boot \(boot)", "group \(group)"]
        for (role, mark) in marks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("\(role.rawValue) \(mark.pid) \(mark.started)")
        }
        let plain = name.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
        return (lines + ["name \(String(plain))"]).joined(separator: "\n") + "\n"
    }

    init() {}

    /// A note may be torn, since its writer was killed: what can be read of it counts.
    init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            let value = String(words[1])
            switch words[0] {
            case "name": name = value
            case "proof": proof = Proof(rawValue: value) ?? .pid
            case "boot": boot = value
            case "group": group = value
            default:
                let numbers = value.split(separator: " ")
                guard let role = Role(rawValue: String(words[0])), numbers.count == 2, let pid = Int32(numbers[0]),
                    let started = UInt64(numbers[1])
                else { continue }
                marks[role] = ProcessMark(pid: pid, started: started)
            }
        }
    }
}
