// What signing in and out costs: calls, sign-outs and the start beside a server in C that does the least, memory over many
// rounds, sign-outs beside each other and beside attacks, tokens, and the browser.
//
// Usage: baton-bench [ROUNDS]               (1000)
//        baton-bench floor [SCALE]          (1), and nothing else: so many times as often
//        baton-bench memory [ROUNDS]        (1000), and nothing else
//        baton-bench hostile [ROUNDS [KIND...]]   (20, all), and nothing else
//        baton-bench browser [ROUNDS]       (15), and nothing else
//        baton-bench day [ROUNDS]           (10), and nothing else
//        baton-bench tokens [REQUESTS]      (100000), and nothing else
import Baton
import Glibc
import ProviderTesting
import TerminalTesting

let words = CommandLine.arguments.dropFirst()
do {
    if words.first == "browser" {
        var times = BrowserTimes(rounds: words.dropFirst().first.flatMap { Int($0) } ?? 15)
        try await times.run()
    } else if words.first == "day" {
        var times = DayTimes(rounds: words.dropFirst().first.flatMap { Int($0) } ?? 10)
        try await times.run()
    } else if words.first == "floor" {
        try await FloorTimes(scale: words.dropFirst().first.flatMap { Double($0) } ?? 1).run()
    } else if words.first == "memory" {
        let rounds = words.dropFirst().first.flatMap { Int($0) } ?? 1000
        try await LocalMemory(rounds: rounds).run()
        try await MemoryRounds(rounds: rounds).run()
    } else if words.first == "hostile" {
        let rounds = words.dropFirst().first.flatMap { Int($0) } ?? 20
        try await HostileTimes(rounds: rounds, only: Array(words.dropFirst(2))).run()
    } else if words.first == "tokens" {
        try await TokenTimes(requests: words.dropFirst().first.flatMap { Int($0) } ?? 100_000).run()
    } else {
        let rounds = words.first.flatMap { Int($0) } ?? 1000
        try await FloorTimes(scale: 1).run()
        try await LocalMemory(rounds: rounds).run()
        try await MemoryRounds(rounds: rounds).run()
        try await SignOutTimes(rounds: max(5, min(30, rounds / 20))).run()
        try await HostileTimes(rounds: 20).run()
        try await TokenTimes(requests: 100_000).run()
        var times = BrowserTimes(rounds: 15)
        try await times.run()
        var day = DayTimes(rounds: 10)
        try await day.run()
    }
} catch {
    print("\(error)")
    exit(1)
}
