import Display

/// Shows the countdown to the worker: a panel on every screen, or where that cannot be a notice of the desktop's.
struct CountdownDisplays: Sendable {
    let screen: ScreenNotice?
    let desktop: CountdownNotice?

    /// - Returns: False: it has to be called again each second, or shows one number for ever.
    func show(_ countdown: Countdown) async -> Bool {
        if await screen?.show(countdown.counted) == true { return true }
        await desktop?.show(countdown)
        return desktop == nil
    }

    func close() async {
        await screen?.close()
        await desktop?.close()
    }
}
