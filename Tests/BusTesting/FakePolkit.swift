public import DBus

/// Takes polkit's place on a private bus and says what a test wants. The real one is in Tests/booted-terminal.
public struct FakePolkit: Sendable {
    public struct Question: Hashable, Sendable {
        public var kind: String
        /// The unique name that it is about.
        public var name: String
        public var action: String
        public var flags: UInt32
        public var id: String

        public init(kind: String, name: String, action: String, flags: UInt32, id: String) {
            self.kind = kind
            self.name = name
            self.action = action
            self.flags = flags
            self.id = id
        }
    }

    public typealias Answer = StructureOfThree<Bool, Bool, [String: String]>

    public let connection: Connection
    public let questions: Happenings<Question>
    /// The ids of those that are not asked any more.
    public let withdrawn: Happenings<String>

    private static let interface: InterfaceName = "org.freedesktop.PolicyKit1.Authority"
    private static let busName: BusName = "org.freedesktop.PolicyKit1"
    private static let question = Arguments(
        ("subject", StructureOfTwo<String, VariantDictionary>.self), ("action_id", String.self),
        ("details", [String: String].self), ("flags", UInt32.self), ("cancellation_id", String.self))
    private static let check = Method(
        interface, "CheckAuthorization", takes: question, gives: Arguments(("result", Answer.self)))
    private static let cancel = Method(
        interface, "CancelCheckAuthorization", takes: Arguments(("cancellation_id", String.self)))

    /// - Parameter answer: May take its time, or throw what polkit answers with.
    public init(on bus: PrivateBus, _ answer: @escaping @Sendable (Question) async throws -> Answer) async throws {
        try await self.init(on: bus, Self.check, answer)
    }

    /// One that does not answer as polkit does.
    ///
    /// - Parameter nonsense: What it answers with.
    public init(on bus: PrivateBus, nonsense: String) async throws {
        let check = Method(
            Self.interface, "CheckAuthorization", takes: Self.question, gives: Arguments(("result", String.self)))
        try await self.init(on: bus, check) { _ in nonsense }
    }

    private typealias Input = (
        StructureOfTwo<String, VariantDictionary>, String, [String: String], UInt32, String
    )

    private init<Output: Sendable>(
        on bus: PrivateBus, _ check: Method<Input, Output>,
        _ answer: @escaping @Sendable (Question) async throws -> Output
    ) async throws {
        connection = try await bus.connect()
        let (questions, withdrawn) = (Happenings<Question>(), Happenings<String>())
        (self.questions, self.withdrawn) = (questions, withdrawn)
        var object = ServedObject()
        object.answer(check) { _, input in
            let (subject, action, _, flags, id) = input
            let question = Question(
                kind: subject.first, name: subject.second["name"]?.string ?? "", action: action, flags: flags, id: id)
            questions.report(question)
            return try await answer(question)
        }
        object.answer(Self.cancel) { _, id in withdrawn.report(id) }
        try await connection.serve(object, at: "/org/freedesktop/PolicyKit1/Authority")
        try await connection.own(Self.busName)
    }
}
