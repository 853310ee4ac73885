import LinuxSystem
import Synchronization

extension Firefox {
    /// Runs until the connection ends. Each request that waits for an answer has a task of its own, so that a long poll holds
    /// up no other request.
    func live() async {
        await withDiscardingTaskGroup { group in
            await session.read { event in
                let duties = self.state.withLock { $0.duties(after: event) }
                for duty in duties { group.addTask { await self.perform(duty) } }
            }
            group.cancelAll()
        }
    }

    private func perform(_ duty: FirefoxDuty) async {
        switch duty {
        case .report(let url): await pages.saw(url, in: identity)
        case .answer(let request): await answer(request)
        case .refuse(let id, let status): provide(BrowserResponse(status: status), id)
        case .fail(let id): session.tell(BiDi.Network.FailRequest(request: id))
        case .pass(let id): session.tell(BiDi.Network.ContinueRequest(request: id))
        case .close(let context): await close(context)
        case .lost: await pages.lost(in: identity)
        }
    }

    /// A window that is just being made refuses to be closed.
    private func close(_ context: String) async {
        for _ in 0..<20 {
            do {
                try await session.call(BiDi.BrowsingContext.Close(context: context), limit: Self.patience)
                return
            } catch .refused {
                guard state.withLock({ $0.pages.names.contains(context) }) else { return }
                try? await OwnTasks.sleep(for: .milliseconds(100))
            } catch {
                return
            }
        }
        // A window that cannot be closed may be in front of the page.
        await pages.lost(in: identity)
    }

    private func answer(_ request: NetworkEvent.Request) async {
        let response = await response(to: request)
        state.withLock { $0.held -= 1 }
        provide(response, request.request)
    }

    private func response(to request: NetworkEvent.Request) async -> BrowserResponse {
        let size = request.bodySize ?? 0
        guard size <= FirefoxState.longestBody else { return BrowserResponse(status: 413) }
        var body = ""
        if size > 0 {
            let collector = state.withLock { $0.collector }
            let get = BiDi.Network.GetData(collector: collector, request: request.request)
            guard let text = try? await session.call(get, limit: Self.patience).bytes.text else {
                return BrowserResponse(status: 400)
            }
            body = text
        }
        let headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value.text ?? "") }) { "\($0), \($1)" }
        return await pages.answer(
            BrowserRequest(
                browser: identity, method: request.method, url: request.url, headers: headers, body: body))
    }

    private func provide(_ response: BrowserResponse, _ id: String) {
        session.tell(
            BiDi.Network.ProvideResponse(
                request: id, statusCode: response.status, reasonPhrase: response.status == 200 ? "OK" : "",
                headers: response.headers.map { .init(name: $0.name, value: .init($0.value)) },
                body: .init(response.body)))
    }
}
