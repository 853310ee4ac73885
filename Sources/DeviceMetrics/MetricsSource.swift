/// Where metrics come from.
package struct MetricsSource: Sendable {
    /// Calls with the figures of the session as soon as its thread has the time; never waits.
    let ask: @Sendable (@escaping @Sendable (DeviceFigures) -> Void) -> Void
    private let process: @Sendable () -> ProcessFigures

    /// - Parameter process: Looks at files, and so is called on threads that may wait for a disk.
    package init(
        ask: @escaping @Sendable (@escaping @Sendable (DeviceFigures) -> Void) -> Void,
        process: @escaping @Sendable () -> ProcessFigures
    ) {
        self.ask = ask
        self.process = process
    }

    func text(_ figures: DeviceFigures) -> String { figures.text(process()) }
}
