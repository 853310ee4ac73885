package import LocalAccounts

/// Where wrong PINs are kept, so that a restart does not forget them.
package protocol PINAttemptsStore: Sendable {
    func storedPINAttempts() async throws -> [PINAttempts]
    func store(_ attempts: PINAttempts) async throws
}
