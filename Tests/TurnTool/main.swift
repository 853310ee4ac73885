import Glibc
import LinuxSystem
import TurnControl

// What agent and batond do with a turn, by hand: Tests/booted-terminal runs it as each of their users.
//
//   baton-turn-tool start N PROGRAM [ARGUMENT...]   starts it in turn N with the caller's environment, and waits for its end
//   baton-turn-tool start-keep N …                  the same, with what apps keep
//   baton-turn-tool end N                           ends turn N, and prints the kernel's word
//   baton-turn-tool freeze N yes|no
//   baton-turn-tool residue N                       prints what is left of turn N's user, a line each
let arguments = Array(CommandLine.arguments.dropFirst())
func fail(_ text: String) -> Never {
    let line = "baton-turn-tool: \(text)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(1)
}
guard arguments.count >= 2, let index = Int(arguments[1]), let number = TurnNumber(index) else {
    fail("start, end, freeze or residue, and the number of a turn")
}
let slice = TurnSlice(number)
switch arguments[0] {
case "start", "start-keep":
    let environment = ["PATH=/usr/bin:/bin", "HOME=\(TurnFolders.home)", "LANG=C.UTF-8"]
    // What the program prints comes here.
    let output = Descriptor(owning: dup(STDOUT_FILENO))
    let program = TurnProgram(
        arguments: Array(arguments.dropFirst(2)), environment: environment, folder: TurnFolders.home,
        handed: [.init(output, as: 1), .init(output, as: 2)])
    do {
        let starter = TurnStarter(number, seesKeptData: arguments[0] == "start-keep")
        let running = try starter.start(program, limit: TimeLimit(.seconds(60)))
        switch running.end(limit: TimeLimit(.seconds(3600))) {
        case .exited(let code): exit(code)
        case .signalled(let signal): fail("ended by signal \(signal)")
        case .withoutWord: fail("ended without a word")
        case nil: fail("it runs on")
        }
    } catch { fail("\(error)") }
case "end":
    let began = SuspendingClock.now
    do { try slice.kill() } catch { fail(error.reason) }
    let found = slice.waitUntilEmpty(limit: TimeLimit(.seconds(10)))
    print("\(found) after \(SuspendingClock.now - began)")
    exit(found == .empty ? 0 : 1)
case "freeze":
    do { try slice.freeze(arguments.last == "yes") } catch { fail(error.reason) }
case "residue":
    guard let user = getpwnam(number.user) else { fail("no user \(number.user)") }
    for residue in TurnResidue.look(for: user.pointee.pw_uid, named: number.user) { print(residue.text) }
default: fail("unknown command \(arguments[0])")
}
