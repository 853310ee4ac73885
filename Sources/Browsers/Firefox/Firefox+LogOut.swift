import LinuxSystem
import Synchronization
import Vocabulary

extension Firefox {
    func logOut(at url: String, answer: String, first: Duration, whole: Duration) async -> PageLogOut {
        let (stream, news) = AsyncStream.makeStream(of: LogOutTab.News.self, bufferingPolicy: .bufferingNewest(64))
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.ring(.silent, after: first, news) }
            group.addTask { await Self.ring(.over, after: whole, news) }
            group.addTask { await self.load(url, LogOutTab(answer: answer, news: news), whole) }
            let outcome = await Self.outcome(stream)
            group.cancelAll()
            return outcome
        }
    }

    private static func outcome(_ stream: AsyncStream<LogOutTab.News>) async -> PageLogOut {
        var hasAnswered = false
        for await item in stream {
            switch item {
            case .confirmed: return .confirmed
            case .answered: hasAnswered = true
            case .failed, .over: return hasAnswered ? .answered : .silent
            case .silent: if !hasAnswered { return .silent }
            }
        }
        return hasAnswered ? .answered : .silent
    }

    private static func ring(
        _ item: LogOutTab.News, after time: Duration, _ news: AsyncStream<LogOutTab.News>.Continuation
    ) async {
        if (try? await OwnTasks.sleep(for: time)) != nil { news.yield(item) }
    }

    /// Keeps the page in a tab behind the worker's until it is cancelled.
    private func load(_ url: String, _ watch: LogOutTab, _ limit: Duration) async {
        guard let tab = await tab(limit) else { return }
        defer {
            state.withLock { $0.logOuts[tab] = nil }
            session.tell(BiDi.BrowsingContext.Close(context: tab))
        }
        state.withLock { $0.logOuts[tab] = watch }
        session.tell(BiDi.Session.Subscribe(events: [BiDiEvent.responseName], contexts: [tab]))
        session.tell(BiDi.BrowsingContext.Navigate(context: tab, url: url))
        // Until the outcome is known.
        try? await OwnTasks.sleep(for: limit)
    }

    /// A new tab; nil when there is none before the log-out is over, which a browser that stands still must not hold up.
    private func tab(_ limit: Duration) async -> String? {
        let (made, news) = AsyncStream.makeStream(of: String.self)
        // Not cancelled half-way: a tab whose name we did not learn would stay. One that comes too late is closed.
        Task {
            let create = BiDi.BrowsingContext.Create(type: "tab", background: true)
            if let tab = try? await session.call(create, limit: limit).context, case .terminated = news.yield(tab) {
                session.tell(BiDi.BrowsingContext.Close(context: tab))
            }
            news.finish()
        }
        for await tab in made { return tab }
        return nil
    }
}
