import Display
import LinuxSystem
import Presentation
import Vocabulary

/// The bar above a worker's pages and apps, with their name and the sign-out: whatever a page draws, it says who holds the device.
actor WorkerBar {
    /// What it shows.
    struct Face: Sendable, Equatable {
        let epoch: Epoch
        let name: String
        let language: Language
        let place: BarPlace
    }

    /// How long it waits for an answer to its question.
    private static let patience = Duration.seconds(6)

    private let make: @Sendable (BarPlace, @escaping @Sendable (BarPress) -> Void) -> ScreenNotice?
    private let signOut: @Sendable (Epoch) async -> WorkerLine
    private var face: Face?
    private var notice: ScreenNotice?
    /// Runs while it asks whether the worker means it.
    private var asking: Task<Void, Never>?

    init(
        make: @escaping @Sendable (BarPlace, @escaping @Sendable (BarPress) -> Void) -> ScreenNotice?,
        signOut: @escaping @Sendable (Epoch) async -> WorkerLine
    ) {
        self.make = make
        self.signOut = signOut
    }

    /// Nil: it is not to be seen.
    func show(_ next: Face?) async {
        guard let next else { return await close() }
        if next.epoch != face?.epoch { endQuestion() }
        if next.place != face?.place {
            await notice?.close()
            notice = nil
        }
        face = next
        if notice == nil {
            notice = make(next.place) { [weak self] press in Task { await self?.pressed(press) } }
        }
        await draw()
    }

    func close() async {
        face = nil
        endQuestion()
        let last = notice
        notice = nil
        await last?.close()
    }

    private func draw() async {
        guard let face else { return }
        let texts = WorkerTexts.of(face.language)
        let buttons = asking == nil ? [texts.signOut] : [texts.cancel, texts.signOut]
        _ = await notice?.show([face.name] + buttons)
    }

    private func endQuestion() {
        asking?.cancel()
        asking = nil
    }

    private func pressed(_ press: BarPress) async {
        guard let epoch = face?.epoch else { return }
        endQuestion()
        switch press {
        case .cancel: break
        case .signOut: _ = await signOut(epoch)
        case .ask:
            asking = Task { [weak self] in
                guard (try? await OwnTasks.sleep(for: Self.patience)) != nil else { return }
                await self?.pressed(.cancel)
            }
        }
        await draw()
    }
}
