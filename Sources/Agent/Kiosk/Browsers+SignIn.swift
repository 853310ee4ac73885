import Wiping

/// The provider's pages for signing in.
extension Browsers {
    func openSignIn(_ url: String, again isAgain: Bool) async throws(BrowserFault) {
        let ends = signInEnds
        if isAgain {
            guard let seat = await next() else { throw .notStarted("no browser") }
            guard ends == signInEnds else {
                leaving.append(seat)
                await settle(limit: TimeLimit(.seconds(3)))
                throw .notStarted("the sign-in is over")
            }
            if let old = again { leaving.append(old) }
            again = seat
            try await seat.browser.open(url)
        } else {
            var seat = await ensureFront()
            if seat == nil { seat = await ensureFront() }
            guard let seat else { throw .notStarted("no browser") }
            guard ends == signInEnds else { throw .notStarted("the sign-in is over") }
            isSigningIn = true
            try await seat.browser.open(url)
        }
    }

    /// Ends what a sign-in without success has left; true when that is proven.
    func closeSignIn(limit: TimeLimit) async -> Bool {
        signInEnds &+= 1
        if let seat = again {
            again = nil
            leaving.append(seat)
        }
        if isSigningIn, turn == nil {
            isSigningIn = false
            if let seat = front { leaving.append(seat) }
            front = nil
        }
        let problems = await settle(limit: limit)
        // Not waited for: that nothing is left is the answer, and to start a browser may take longer than batond waits for it.
        if turn == nil { Task { await open() } }
        return problems.isEmpty
    }
}
