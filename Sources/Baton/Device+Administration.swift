public import BatonContract

/// For administrators; every other caller gets `notAuthorized`. Where polkit is asked, see `allowsInteraction`.
extension Device {
    /// Ends a quarantine; what was not proven becomes a debt. A turn whose journal could not be read is ended first.
    ///
    /// - Returns: The receipt of the turn with its release; nil: there was none to end, or a journal can be read again.
    @discardableResult
    public func endQuarantine() async throws -> Receipt? {
        try Receipt.read(answer: await administer(Administration.endQuarantine, [:], timeout: .seconds(60)))
    }

    /// Forgets what an app owes.
    public func forgetApp(uid: UInt32, id: String) async throws {
        try await administer(Administration.forgetApp, (uid, id))
    }

    /// The local accounts with wrong PINs since their last right one, locked ones among them.
    public func pinAttempts() async throws -> [PINAttemptsStatus] {
        try await administer(Administration.listPINAttempts).map(PINAttemptsStatus.init)
    }

    /// Forgets an account's wrong PINs: a locked one can sign in at once.
    ///
    /// - Throws: `BatonError` with `invalidArgument` where no local account has this name.
    public func unlockAccount(_ username: String) async throws {
        try await administer(Administration.unlockAccount, username)
    }

    /// Sets the mode; leaving shared mode signs the worker out first.
    public func setDeviceMode(_ mode: DeviceMode) async throws {
        try await administer(Administration.setDeviceMode, mode.rawValue, timeout: nil)
    }

    /// Lets batond read its settings again; when they have a fault the old ones stay and the error says which.
    ///
    /// - Returns: What changed, and what of it does not hold yet.
    @discardableResult
    public func reload() async throws -> ReloadReport {
        ReloadReport(try await administer(Administration.reload))
    }

    /// A part of the chain of receipts: their texts, hashes and signatures.
    ///
    /// One answer has about 2 MiB at most; ask again with `after` until there are no more.
    /// - Returns: Entries in the order of their numbers, and what is to be known of the whole chain.
    public func exportReceipts(
        _ options: ReceiptExportOptions = ReceiptExportOptions()
    ) async throws -> (entries: [ReceiptEntry], chain: ReceiptChainState) {
        let (entries, chain) = try await administer(Administration.exportReceipts, options.dictionary)
        return (entries.map { ReceiptEntry($0) }, ReceiptChainState(chain))
    }
}
