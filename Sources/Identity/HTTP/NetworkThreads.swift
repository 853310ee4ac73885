import NIOCore

/// The threads of whatever goes over the network.
public enum NetworkThreads {
    /// One thread where there would be one for each processor, each with its own buffers: a terminal talks to one provider.
    ///
    /// To be called once by a program, before it makes its first `HTTPSExchange` or listens; a second call, or one that
    /// comes too late, ends the program.
    public static func keepToOne() { NIOSingletons.groupLoopCountSuggestion = 1 }
}
