import Exploration
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ExplorationTests {
    @Test func `one app, one turn and one fault: every state holds every invariant`() async {
        var configuration = Configuration()
        configuration.participants = 1
        configuration.epochs = 1
        configuration.crashes = 0
        let result = await Explorer(configuration).run()
        #expect(result.violation == nil, "\(result.path.joined(separator: "\n"))")
        #expect(result.isComplete)
        #expect(result.states > 1000)
    }

    @Test func `an app that remembers no epoch clears all that it must, and nothing of the present worker's`() async {
        var configuration = Configuration()
        configuration.participants = 1
        configuration.epochs = 2
        configuration.crashes = 1
        configuration.faults = 0
        configuration.forgets = true
        let result = await Explorer(configuration).run()
        #expect(result.violation == nil, "\(result.path.joined(separator: "\n"))")
        #expect(result.isComplete)
    }

    @Test func `a lock shows nothing without its PIN, and holds up no sign-out`() async {
        let result = await Explorer(.locks).run()
        #expect(result.violation == nil, "\(result.path.joined(separator: "\n"))")
        #expect(result.isComplete)
        #expect(result.states > 1000)
    }

    @Test(arguments: [Fault.noWipe, .forger, .lateJoinersIgnored, .lateTurn, .latePIN, .freshTries])
    func `a seeded mistake is found`(fault: Fault) async {
        let result = await Explorer.find(fault)
        #expect(result.violation != nil)
    }
}
