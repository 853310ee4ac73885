// What signing in and out at a provider costs: memory over many rounds, and sign-outs beside each other.
//
// Usage: baton-bench [ROUNDS]       (1000)
import Baton
import ProviderTesting
import TerminalTesting

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
try await MemoryRounds(rounds: rounds).run()
try await SignOutTimes(rounds: max(5, min(30, rounds / 20))).run()
