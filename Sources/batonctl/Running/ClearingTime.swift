import Baton
import Glibc
import LinuxSystem

/// How long a clearing may take: until shortly before the device would stop the app, and then once more for as long as the
/// device lets itself be asked.
struct ClearingTime {
    private let request: ClearRequest?
    private var deadline: UInt64?

    /// Left for the answer itself, in microseconds.
    private static let reserve: UInt64 = 150_000

    /// - Parameter request: Nil: no sign-out waits.
    init(_ request: ClearRequest?) {
        self.request = request
        deadline = request?.deadline
    }

    var limit: TimeLimit {
        guard let deadline else { return TimeLimit(.seconds(60)) }
        let left = deadline.subtractingReportingOverflow(Self.now + Self.reserve)
        return TimeLimit(
            left.overflow ? .milliseconds(50) : .microseconds(Int64(clamping: max(left.partialValue, 50_000))))
    }

    /// False: there is no more time to be had.
    mutating func extend() async -> Bool {
        guard let request, let old = deadline, let later = try? await request.extend(by: .seconds(5)), later > old
        else { return false }
        deadline = later
        return true
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
