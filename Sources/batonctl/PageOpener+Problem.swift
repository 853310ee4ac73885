import Subprocess
import SystemPackage

/// Opens pages in the browser that the desktop, or `BROWSER`, names.
enum PageOpener {
    /// Returns when the browser was told, or when it ends: some stay in the foreground. Cancelling leaves a browser
    /// that has begun alone.
    ///
    /// - Returns: Why it did not open, for people.
    static func open(_ url: String) async -> String? {
        var options = PlatformOptions()
        // Ctrl-C is for batonctl, not for a browser that came up because of it.
        options.createSession = true
        do {
            let result = try await Subprocess.run(
                .name("xdg-open"), arguments: [url], environment: .inherit, platformOptions: options, input: .none,
                output: .discarded, error: .discarded)
            return Task.isCancelled || result.terminationStatus.isSuccess ? nil : Text.pageNotOpened
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return Text.noXDGOpen
        } catch {
            return Task.isCancelled ? nil : Text.pageNotOpened
        }
    }
}
