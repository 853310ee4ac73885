import BatonContract
import Subprocess

/// Opens pages in the browser that the desktop, or `BROWSER`, names.
package enum PageOpener {
    package enum Failure: Error {
        /// There is no `xdg-open` on this machine.
        case noProgram
        case notOpened
    }

    /// Returns when the browser was told, or when it ends: some stay in the foreground. Cancelling leaves a browser
    /// that has begun alone.
    package static func open(_ url: String) async throws(Failure) {
        var options = PlatformOptions()
        // Ctrl-C is for the app, not for a browser that came up because of it.
        options.createSession = true
        do {
            let result = try await Subprocess.run(
                .name("xdg-open"), arguments: [url], environment: .inherit, platformOptions: options, input: .none,
                output: .discarded, error: .discarded)
            guard Task.isCancelled || result.terminationStatus.isSuccess else { throw Failure.notOpened }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw .noProgram
        } catch {
            if !Task.isCancelled { throw .notOpened }
        }
    }

    /// Opens what is the app's to open. That it could not be opened is not told: the request then ends when the time for
    /// it is over. An app that wants to say more follows the steps itself.
    static func follow(_ step: SignInStep) async {
        guard step.kind == .openURL, step.opener == .caller else { return }
        try? await open(step.url)
    }
}
