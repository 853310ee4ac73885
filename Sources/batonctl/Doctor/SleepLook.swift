import DBus
import FoundationEssentials

/// Whether the machine waits for the worker's sign-out before it sleeps or is switched off: logind says so, not batond.
enum SleepLook {
    /// The longest that the settings allow for a sign-out.
    private static let longest = Duration.seconds(20)
    private static let name: BusName = "org.freedesktop.login1"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let manager: InterfaceName = "org.freedesktop.login1.Manager"
    private static let delay = Property(manager, "InhibitDelayMaxUSec", UInt64.self)

    static func finding() async -> Finding {
        do {
            let connection = try await Connection.open(.system)
            let microseconds = try await Proxy(connection, name, path).get(delay)
            await connection.close()
            return finding(isHeld: try await isHeld(), delay: .microseconds(Int64(clamping: microseconds)))
        } catch {
            return .warning("sleep", Text.Doctor.noLogind("\(error)"), Text.Doctor.startLogind)
        }
    }

    static func finding(isHeld: Bool, delay: Duration) -> Finding {
        guard isHeld else { return .warning("sleep", Text.Doctor.sleepDoesNotWait, Text.Doctor.letSleepWait) }
        guard delay >= longest else {
            return .warning("sleep", Text.Doctor.sleepWaitsShortly(delay), Text.Doctor.letSleepWaitLonger)
        }
        return .ok("sleep", Text.Doctor.sleepWaits(delay))
    }

    private static func isHeld() async throws -> Bool {
        let answer = try await Busctl.call(
            "ListInhibitors", of: manager, at: path, of: name, seconds: 5, size: 1 << 20)
        guard let answer else { throw BusctlFailure() }
        return isHeld(by: answer)
    }

    private struct BusctlFailure: Error, CustomStringConvertible {
        let description = "busctl lists no inhibitors"
    }

    /// One of them: what, who, why, mode, uid and pid.
    private struct Inhibitor: Decodable {
        /// What of ours it delays.
        let delayed: [String]

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            let (what, who) = (try fields.decode(String.self), try fields.decode(String.self))
            _ = try fields.decode(String.self)
            let mode = try fields.decode(String.self)
            delayed = who == "Baton" && mode == "delay" ? what.split(separator: ":").map(String.init) : []
        }
    }

    private struct Answer: Decodable { let data: [[Inhibitor]] }

    /// - Parameter answer: What busctl prints of `ListInhibitors`.
    static func isHeld(by answer: String) -> Bool {
        let inhibitors = (try? JSONDecoder().decode(Answer.self, from: Data(answer.utf8)))?.data.joined()
        return Set(inhibitors?.flatMap(\.delayed) ?? []).isSuperset(of: ["sleep", "shutdown"])
    }
}
