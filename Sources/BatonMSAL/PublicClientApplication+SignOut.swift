import Baton

extension PublicClientApplication {
    /// Signs the worker out: of the whole device where it is shared, of this app alone where it is not.
    ///
    /// Returns when every app is settled. On a shared device the browser is always signed out.
    /// - Parameter parameters: Whether the browser is signed out in personal mode, and the account is wiped.
    /// - Parameter account: The worker to sign out; nil: the one who holds the device. With another worker on the device
    ///   no worker is signed out, and this fails.
    public func signOut(
        with parameters: SignoutParameters = SignoutParameters(), account: ClientAccount? = nil
    ) async throws -> SignOutResult {
        let (fromBrowser, wipes) = (parameters.signoutFromBrowser, parameters.wipeAccount)
        return try await signOut(account, fromBrowser: fromBrowser, wipesAccount: wipes)
    }

    /// As MSAL has it.
    ///
    /// - Returns: Whether every app has cleared or was contained. Never false: then this throws.
    @discardableResult
    public func signout(
        with account: ClientAccount, signoutParameters parameters: SignoutParameters
    ) async throws -> Bool {
        let result = try await signOut(with: parameters, account: account)
        return try speakingMSAL {
            guard result.success else { throw result.fault }
            return true
        }
    }

    func signOut(
        _ account: ClientAccount?, fromBrowser: Bool, wipesAccount: Bool
    ) async throws -> SignOutResult {
        try await speakingMSAL {
            let device = try await client.device()
            switch try await device.requireDeviceMode() {
            case .personal: return try await signOutOfThisApp(account, device, fromBrowser)
            case .shared, .unknown: return try await signOut(account, of: device, fromBrowser, wipesAccount)
            }
        }
    }

    private func signOut(
        _ account: ClientAccount?, of device: Device, _ fromBrowser: Bool, _ wipesAccount: Bool
    ) async throws -> SignOutResult {
        var epoch: Epoch?
        if let account {
            let now = try await device.getCurrentAccount()
            if let current = now.current, current.id != account.account.id { throw ClientFault.otherAccount }
            // The turn and not the present worker: the next one could be signing in at this moment.
            epoch = now.epoch
        }
        let receipt = try await device.signOut(epoch: epoch, wipeAccount: wipesAccount).receipt
        // If another caller was quicker with the sign-out, the last receipt tells of it.
        let outcome = if let receipt { receipt.outcome } else { try await device.receipts(newest: 1).first?.outcome }
        let success = outcome == nil || outcome == .cleared || outcome == .contained
        return SignOutResult(
            success: success, mode: .shared, signoutFromBrowserWasOverridden: !fromBrowser, receipt: receipt,
            explanation: success ? "" : Self.explanation(outcome, receipt))
    }

    private func signOutOfThisApp(
        _ account: ClientAccount?, _ device: Device, _ fromBrowser: Bool
    ) async throws -> SignOutResult {
        if let id = account?.account.id {
            client.signOut(id)
        } else if let id = try await device.getCurrentAccount().current?.id {
            client.signOut(id)
        }
        return SignOutResult(
            success: !fromBrowser, mode: .personal, signoutFromBrowserWasOverridden: false, receipt: nil,
            explanation: fromBrowser ? ClientFault.noBrowserToSignOut.description : "")
    }

    private static func explanation(_ outcome: Outcome?, _ receipt: Receipt?) -> String {
        let more = receipt?.explanation ?? ""
        return switch outcome {
        case .owed:
            "The worker is signed out, but an app ended without an acknowledgement: it gets no account before it clears."
        case .quarantined:
            "The worker is signed out, but not everything could be proven clear, so no worker can sign in."
                + (more.isEmpty ? "" : " " + more)
        case .cleared, .contained, nil: ""
        }
    }
}

extension SignOutResult {
    var fault: ClientFault { mode == .personal ? .noBrowserToSignOut : .signedOutBadly(explanation) }
}
