import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import WebText

/// Posts log-out tokens to the clients, one after the other, so that no request waits for them.
final class LogoutDelivery: Sendable {
    struct Notice: Sendable {
        var address: String
        var token: String
    }

    private struct Counts {
        var accepted = 0
        var refused = 0
    }

    private let notices: AsyncStream<Notice>
    private let queue: AsyncStream<Notice>.Continuation
    private let counts = Mutex(Counts())
    private let log: Logger

    init(log: Logger) {
        self.log = log
        // A client that never answers must not fill the memory.
        (notices, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
    }

    var accepted: Int { counts.withLock { $0.accepted } }
    var refused: Int { counts.withLock { $0.refused } }

    func send(_ notice: Notice) { queue.yield(notice) }

    /// Gives up at once if no client listens; otherwise one client that is gone would hold up the others.
    static var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(2)
        return configuration
    }

    /// Runs until the task is canceled.
    func run(_ client: HTTPClient) async {
        for await notice in notices {
            // What is queued still comes after the end.
            if Task.isCancelled { return }
            let isAccepted = await deliver(notice, client)
            counts.withLock { counts in
                if isAccepted { counts.accepted &+= 1 } else { counts.refused &+= 1 }
            }
        }
    }

    private func deliver(_ notice: Notice, _ client: HTTPClient) async -> Bool {
        var request = HTTPClientRequest(url: notice.address)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: FormText.encoded([("logout_token", notice.token)])))
        do {
            let answer = try await client.execute(request, timeout: .seconds(5))
            log.debug("Sent a log-out token", metadata: ["status": "\(answer.status.code)"])
            return (200...204).contains(answer.status.code)
        } catch {
            // The error's own text could quote the request.
            log.warning("A log-out token could not be delivered", metadata: ["client.address": "\(notice.address)"])
            return false
        }
    }
}
