import Glibc

/// The part of many steps that a run takes beside those that it names: another one each day, so that all of them have had
/// their turn after as many days as there are parts. `make soak` takes all at once, and SupervisorTests takes all of a
/// round's without processes.
enum Rotation {
    /// Days since 1970; `BATON_DAY` has a run go as it went on another day.
    static let day: Int = {
        if let given = getenv("BATON_DAY").flatMap({ Int(String(cString: $0)) }) { return max(0, given) }
        return time(nil) / 86400
    }()

    /// The number, from 1, of the step at a place of the sample, from 0.
    static func step(_ place: Int, of parts: Int) -> Int {
        Soak.isOn ? place + 1 : place * parts + day % parts + 1
    }

    /// What is said of the sample, so that the same can be tried again.
    static func text(_ parts: Int) -> String {
        Soak.isOn ? "all of them" : "every \(parts)th from the \(day % parts + 1)th on, BATON_DAY=\(day)"
    }
}
