public import Vocabulary

/// How long a sign-out may take, and which apps take part in it: `barrier`.
public struct BarrierSettings: Sendable, Hashable {
    public var soft: Duration = .milliseconds(1500)
    public var hard: Duration = .seconds(5)
    public var absolute: Duration = .seconds(10)
    public var containment: Duration = .seconds(3)
    public var unproven: UnprovenTreatment = .owe
    public var unlistedApps: UnlistedApps = .accept

    public enum UnlistedApps: String, Sendable, CaseIterable { case accept, refuse }
}
