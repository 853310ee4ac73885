import Display

/// Shows the countdown to the worker: a panel on every screen, or where that cannot be a notice of the desktop's.
struct CountdownDisplays: Sendable {
    let screen: ScreenNotice?
    let desktop: CountdownNotice?

    func show(_ countdown: Countdown) async {
        if await screen?.show(countdown.lines) == true { return }
        await desktop?.show(countdown)
    }

    func close() async {
        await screen?.close()
        await desktop?.close()
    }
}
