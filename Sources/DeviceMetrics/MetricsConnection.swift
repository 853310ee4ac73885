import Glibc
import LinuxSystem

/// A caller of the socket: one request, one answer, in a limited time.
struct MetricsConnection {
    /// A connection waits for this.
    enum Wait: Hashable {
        case request, figures, room
    }

    /// By which the figures find it.
    let number: UInt64
    /// Does not block.
    let descriptor: Descriptor
    let limit: TimeLimit
    private(set) var wait = Wait.request
    private var request: [UInt8] = []
    private var isHeadOnly = false
    private var answer: ArraySlice<UInt8> = []

    init(_ number: UInt64, _ descriptor: Descriptor, limit: TimeLimit) {
        self.number = number
        self.descriptor = descriptor
        self.limit = limit
    }

    /// For which of `poll`'s events it waits; that the caller has gone is told in any case.
    var events: Int16 {
        switch wait {
        case .request: Int16(POLLIN)
        case .figures: 0
        case .room: Int16(POLLOUT)
        }
    }

    /// Goes on as far as it can without waiting; false: it has ended.
    mutating func goOn(_ events: Int16) -> Bool {
        switch wait {
        case .request: read()
        // The caller does not wait any more.
        case .figures: events & Int16(POLLHUP | POLLERR) == 0
        case .room: write()
        }
    }

    private mutating func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor.raw, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return errno == EAGAIN }
            guard count > 0 else { return false }
            request += buffer.prefix(count)
            switch MetricsRequest(request) {
            case .unfinished: continue
            case .refused(let response): return answer(response)
            case .metrics(let isHeadOnly):
                self.isHeadOnly = isHeadOnly
                wait = .figures
                return true
            }
        }
    }

    /// Answers with metrics; false: it has ended.
    mutating func answer(metrics: String) -> Bool {
        answer(MetricsResponse(metrics: metrics, isHeadOnly: isHeadOnly))
    }

    private mutating func answer(_ response: MetricsResponse) -> Bool {
        answer = response.bytes[...]
        wait = .room
        return write()
    }

    private mutating func write() -> Bool {
        while !answer.isEmpty {
            let count = answer.withUnsafeBytes {
                send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                answer = answer.dropFirst(count)
            } else if errno != EINTR {
                return errno == EAGAIN
            }
        }
        return false
    }
}
