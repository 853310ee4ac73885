import BatonContract
import Display
import LinuxSystem
import Presentation

/// What a worker reads on the cover while apps clear.
extension Kiosk {
    /// A sign-out that takes no longer says nothing.
    private static let patience = Duration.milliseconds(700)
    private static let pause = Duration.milliseconds(500)
    /// More are not named.
    private static let most = 4

    func startProgress() {
        progress?.cancel()
        progress = Task { [weak self, link] in
            var shown = ""
            var pause = Self.patience
            while (try? await OwnTasks.sleep(for: pause)) != nil {
                let apps = await link.unclearedApps()
                guard let self else { return }
                shown = await showProgress(apps, unless: shown)
                pause = Self.pause
            }
        }
    }

    func endProgress() {
        progress?.cancel()
        progress = nil
    }

    /// A row that stands for apps that came and went by the hundred.
    private static func isMany(_ app: String) -> Bool { app.hasPrefix("*") }

    /// - Returns: What is on the cover now.
    private func showProgress(_ apps: [String], unless shown: String) async -> String {
        let texts = WorkerTexts.of(language)
        let names = apps.reduce(into: [String]()) { names, id in
            let name = configuration.apps.first { $0.id == id }.map(\.name) ?? (Self.isMany(id) ? texts.otherApps : id)
            if !names.contains(name) { names.append(name) }
        }
        let some = names.prefix(Self.most).joined(separator: ", ") + (names.count > Self.most ? ", …" : "")
        let waiting = names.isEmpty ? "" : "\n" + WorkerTexts.filled(texts.waitingFor, ["apps": some])
        let text = texts.signingOut + waiting
        // Between this and the request nothing can take the cover away: the screen does what it is asked in that order.
        guard !Task.isCancelled, isCovered, text != shown, !(shown.isEmpty && names.isEmpty) else { return shown }
        _ = await parts.screen?.cover(text)
        return text
    }
}
