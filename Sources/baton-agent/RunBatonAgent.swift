import ArgumentParser
import DBus
import Glibc
import LinuxSystem
import Processes

/// All of baton-agent, on the calling thread, which must be the program's first; returns when it has stopped.
package func runBatonAgent() {
    // As a program's reaper it is another program, which must not be a process with children of its own.
    if let code = Reaper.play(CommandLine.arguments) { exit(code) }
    do {
        let loop = try TaskLoop()
        OwnTasks.run(perform: loop.perform, sleep: loop.sleep)
        try loop.run { await BatonAgent.main(nil) }
    } catch {
        BatonAgent.exit(withError: error)
    }
}
