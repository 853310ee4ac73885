import Glibc
import Synchronization

/// Asks no sooner again than a provider wants that answered 429 or 503: `Retry-After` of RFC 9110, section 10.2.3.
///
/// Meanwhile each request to the same address for the same grant gets that answer again, with the seconds that are left.
final class PatientExchange: HTTPExchange {
    /// Of what a provider may ask for, in seconds.
    static let longest: Int64 = 600
    private static let most = 64

    private struct Place: Hashable {
        /// Without its query, which may have a token in it.
        let address: String
        /// A worker's refreshes do not hold up the next one's sign-in.
        let grant: String?

        init(_ request: HTTPRequest) {
            address = String(request.url.prefix { $0 != "?" })
            grant = request.form?.first { $0.name == "grant_type" }?.value
        }
    }

    private struct Pause {
        let status: Int
        let end: Int64
    }

    private let way: any HTTPExchange
    private let clock: IdentityClock
    private let pauses = Mutex<[Place: Pause]>([:])

    init(_ way: any HTTPExchange, clock: IdentityClock) {
        self.way = way
        self.clock = clock
    }

    func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse {
        let place = Place(request)
        let now = clock.seconds()
        let pause = pauses.withLock { $0[place] }
        // A clock that was set back does not make a pause longer.
        if let pause, pause.end > now, pause.end &- now <= Self.longest {
            return HTTPResponse(status: pause.status, headers: [(name: "Retry-After", value: "\(pause.end &- now)")])
        }
        let response = try await way.send(request)
        let wait = response.retryAfter(at: clock.seconds())
        pauses.withLock { pauses in
            pauses[place] = wait.map { Pause(status: response.status, end: clock.seconds() &+ $0) }
            if pauses.count > Self.most, let first = pauses.min(by: { $0.value.end < $1.value.end }) {
                pauses[first.key] = nil
            }
        }
        return response
    }
}

extension HTTPResponse {
    /// For how many seconds the provider wants not to be asked; nil: it does not say.
    func retryAfter(at now: Int64) -> Int64? {
        guard status == 429 || status == 503, let text = header("Retry-After"), text.utf8.count <= 64 else {
            return nil
        }
        let seconds: Int64
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            seconds = Int64(text) ?? .max
        } else if let date = Self.seconds(ofDate: text) {
            seconds = date &- now
        } else {
            return nil
        }
        return seconds > 0 ? min(seconds, PatientExchange.longest) : nil
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// RFC 9110, section 5.6.7, in the form that is to be written; nil: it is another, or none.
    private static func seconds(ofDate text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let numbers = ([words[1], words[3]] + words[4].split(separator: ":")).compactMap { Int32($0) }
        guard numbers.count == 5, (1970...9999).contains(numbers[1]),
            zip(numbers, [31, 9999, 23, 59, 60]).allSatisfy({ (0...$1).contains($0) })
        else { return nil }
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return Int64(timegm(&parts))
    }
}
