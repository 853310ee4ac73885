import ArgumentParser
import Baton
import Glibc

/// Where an export begins: a turn, or a time as the people at the device read it.
enum ReceiptsSince: Hashable, ExpressibleByArgument {
    case epoch(Epoch)
    /// Unix time in microseconds.
    case time(Int64)

    /// A number is a turn; `2026-11-22`, `2026-11-22 06:00` and `2026-11-22T06:00:00` are local times, with a Z at the end
    /// of UTC.
    init?(argument: String) {
        if let epoch = Epoch(argument) {
            self = .epoch(epoch)
            return
        }
        let isUTC = argument.hasSuffix("Z")
        let parts = (isUTC ? argument.dropLast() : argument[...]).split(omittingEmptySubsequences: false) {
            $0 == "T" || $0 == " "
        }
        guard (isUTC ? 2...2 : 1...2).contains(parts.count), let date = Self.numbers(parts[0], "-", [4, 2, 2]) else {
            return nil
        }
        var time: [Int32] = [0, 0, 0]
        if parts.count == 2 {
            guard let given = Self.numbers(parts[1], ":", [2, 2, 2]) ?? Self.numbers(parts[1], ":", [2, 2]) else {
                return nil
            }
            time = given + (given.count == 2 ? [0] : [])
        }
        guard (1970...9999).contains(date[0]), (1...12).contains(date[1]), (1...31).contains(date[2]), time[0] < 24,
            time[1] < 60, time[2] < 60
        else { return nil }
        var moment = tm()
        (moment.tm_year, moment.tm_mon, moment.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
        (moment.tm_hour, moment.tm_min, moment.tm_sec, moment.tm_isdst) = (time[0], time[1], time[2], -1)
        let seconds = Int64(isUTC ? timegm(&moment) : mktime(&moment))
        // Of February 31 they would make a day in March.
        guard moment.tm_mday == date[2] else { return nil }
        self = .time(seconds * 1_000_000)
    }

    /// Nil: not as many numbers of these lengths.
    private static func numbers(_ text: Substring, _ separator: Character, _ lengths: [Int]) -> [Int32]? {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        guard words.map(\.utf8.count) == lengths,
            words.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return words.compactMap { Int32($0) }
    }

    var options: ReceiptExportOptions {
        var options = ReceiptExportOptions()
        switch self {
        case .epoch(let epoch): options.epoch = epoch
        case .time(let time): options.time = time
        }
        return options
    }
}
