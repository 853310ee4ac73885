import Glibc

/// The part of many steps that a run takes beside those that it names: another one each day, so that all of them have had
/// their turn after as many days as there are parts. `make soak` takes all at once, and SupervisorTests takes all of a
/// round's without processes.
public enum Rotation {
    /// Days since 1970; `BATON_DAY` has a run go as it went on another day.
    public static let day: Int = {
        if let given = getenv("BATON_DAY").flatMap({ Int(String(cString: $0)) }) { return max(0, given) }
        return time(nil) / 86400
    }()

    /// The number, from 1, of the step at a place of the sample, from 0.
    public static func step(_ place: Int, of parts: Int) -> Int {
        Soak.isOn ? place + 1 : place * parts + day % parts + 1
    }

    /// What is said of the sample, so that the same can be tried again.
    public static func text(_ parts: Int) -> String {
        Soak.isOn ? "all of them" : "every \(parts)th from the \(day % parts + 1)th on, BATON_DAY=\(day)"
    }

    /// The one of these that has its turn today, and all of them in `make soak`.
    public static func turn<Case>(of all: [Case]) -> [Case] {
        if Soak.isOn || all.isEmpty { return all }
        print("of \(all.count) cases the \(day % all.count + 1)th, BATON_DAY=\(day): \(all[day % all.count])")
        return [all[day % all.count]]
    }
}

/// Whether this is `make soak`, which takes hours for what the tests take a sample of.
public enum Soak {
    public static var isOn: Bool { getenv("BATON_SOAK") != nil }
    public static func minutes(_ usual: Int) -> Int { isOn ? 600 : usual }
}
