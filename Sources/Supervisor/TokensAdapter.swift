internal import BatonContract
internal import DBus

/// Answers `org.baton.Device1.Tokens`.
struct TokensAdapter {
    let desk: Desk

    func serve(on object: inout ServedObject) {
        let desk = desk
        object.answer(Tokens.handleResponse) { _, answer in
            // Whoever brings a redirect only carries it: what it is worth, its state says.
            let (url, _) = answer
            return await desk.supervisor.provider.handle(response: url)
        }
    }
}
