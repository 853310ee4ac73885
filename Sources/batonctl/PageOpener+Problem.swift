import Baton

extension PageOpener {
    /// - Returns: Why the page did not open, for people.
    static func problem(opening url: String) async -> String? {
        do throws(Failure) {
            try await open(url)
            return nil
        } catch {
            return switch error {
            case .noProgram: Text.noXDGOpen
            case .notOpened: Text.pageNotOpened
            }
        }
    }
}
