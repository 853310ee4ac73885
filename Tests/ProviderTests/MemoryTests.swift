import Baton
import ProviderTesting
import TerminalTesting
import Testing

@Suite("Memory over many turns", .timeLimit(.minutes(8)))
struct MemoryTests {
    @Test func `workers who come, go, give up and are refused leave batond as large as it was`() async throws {
        let provider = try await DevelopmentProviderProcess.start()
        let ward = try await ProviderTerminal.start(at: provider.issuer)
        func turns(_ count: Int) async throws {
            for _ in 1...count {
                try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
                let refusal = try await ward.refusal {
                    try await ward.signIn(DevelopmentProviderProcess.ben, with: provider.browser())
                }
                #expect(refusal?.code == .accountMismatch)
                _ = try await ward.device.signOut()
                let (_, task) = try await ward.beginSignIn()
                try await ward.device.cancelSignIn()
                _ = try? await task.value
            }
        }
        try await turns(15)
        let (memory, descriptors) = (ward.daemon.memoryParts.own, ward.daemon.openDescriptors)
        try await turns(30)
        let (growth, more) = (ward.daemon.memoryParts.own - memory, ward.daemon.openDescriptors - descriptors)
        print("30 turns more: \(growth) KiB and \(more) descriptors more, of \(memory) KiB and \(descriptors)")
        // Thirty sessions that stay would be far more than what an allocator keeps for later.
        #expect(growth < 8 << 10)
        #expect(more < 8)
    }
}
