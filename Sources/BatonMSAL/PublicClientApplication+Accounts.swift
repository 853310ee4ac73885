import Baton

/// Each of these has a form that waits on the calling thread, as MSAL's have, for code that is not asynchronous.
extension PublicClientApplication {
    /// The account that holds the device, unless this app has removed it; so one at most.
    public func allAccounts() async throws -> [ClientAccount] {
        try await speakingMSAL {
            let device = try await client.device()
            let account = try await device.accountOfMember().current
            return account.map { client.isRemoved($0.id) ? [] : [client.account($0)] } ?? []
        }
    }

    public func accounts(for parameters: AccountEnumerationParameters) async throws -> [ClientAccount] {
        let fits = parameters.filter
        return try await allAccounts().filter(fits)
    }

    /// - Parameter identifier: The account's id, or its home account's.
    /// - Throws: When no account here is that.
    public func account(forIdentifier identifier: String) async throws -> ClientAccount {
        try await account("'\(identifier)'") { $0.account.id == identifier || $0.identifier == identifier }
    }

    /// - Throws: When no account here is that.
    public func account(forUsername username: String) async throws -> ClientAccount {
        try await account("that of '\(username)'") { $0.account.username.lowercased() == username.lowercased() }
    }

    private func account(_ what: String, _ fits: (ClientAccount) -> Bool) async throws -> ClientAccount {
        let accounts = try await allAccounts()
        return try speakingMSAL {
            guard let account = accounts.first(where: fits) else { throw ClientFault.noSuchAccount(what) }
            return account
        }
    }

    /// Who holds the device and who held it before.
    public func getCurrentAccount() async throws -> (current: ClientAccount?, previous: ClientAccount?) {
        try await speakingMSAL {
            let device = try await client.device()
            let answer = try await device.accountOfMember()
            let current = answer.current.flatMap { client.isSignedOut($0.id) ? nil : client.account($0) }
            return (current, answer.previous.map { ClientAccount($0) })
        }
    }

    /// Takes this app's tokens of the account away from it, and nothing else: silent requests are refused until the
    /// worker has answered an `acquireToken`.
    public func remove(_ account: ClientAccount) throws {
        client.remove(account.account.id)
    }

    // MARK: Waiting on the calling thread

    @available(*, noasync)
    public func allAccounts() throws -> [ClientAccount] {
        try OnThisThread.run { try await self.allAccounts() }
    }

    @available(*, noasync)
    public func accounts(for parameters: AccountEnumerationParameters) throws -> [ClientAccount] {
        let fits = parameters.filter
        let accounts: [ClientAccount] = try OnThisThread.run { try await self.allAccounts() }
        return accounts.filter(fits)
    }

    @available(*, noasync)
    public func account(forIdentifier identifier: String) throws -> ClientAccount {
        try OnThisThread.run { try await self.account(forIdentifier: identifier) }
    }

    @available(*, noasync)
    public func account(forUsername username: String) throws -> ClientAccount {
        try OnThisThread.run { try await self.account(forUsername: username) }
    }
}
