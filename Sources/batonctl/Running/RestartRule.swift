import ArgumentParser

/// When `run` starts its program again.
enum RestartRule: String, ExpressibleByArgument, CaseIterable {
    /// Whenever it has ended, as soon as the device is free of the worker who left.
    case always
    /// After a sign-out, for the next worker.
    case atSignIn = "at-sign-in"
    case never
}
