// libFuzzer's program: `make fuzz`. The first argument says whose input is tried, the others are libFuzzer's own; the
// first byte of an input chooses the way in.
import Glibc

/// Whose input, in the order of `make fuzz`; each has a folder of inputs to begin with in `corpus`.
private let subjects = [
    "provider": ProviderWays.all, "messages": MessageWays.all, "settings": SettingsWays.all, "journal": JournalWays.all,
]

private let ways = subjects[CommandLine.arguments.dropFirst().first ?? ""] ?? []

/// libFuzzer's own entry; the package manager has a main of its own, so that libFuzzer's is not taken.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
struct Fuzz {
    static func main() {
        guard !ways.isEmpty else {
            print("usage: baton-fuzz \(subjects.keys.sorted().joined(separator: "|")) [libFuzzer's options]")
            exit(64)
        }
        // libFuzzer leaves by `exit`, whether it found something or not.
        atexit {
            for way in ways { print("\(way.name): \(way.executions) executions") }
            fflush(nil)
        }
        // Without the subject; the program's name stays the first.
        var count = CommandLine.argc - 1
        var arguments = CommandLine.unsafeArgv + 1
        arguments[0] = CommandLine.unsafeArgv[0]
        exit(runDriver(&count, &arguments, fuzz))
    }
}

/// By this name the library looks for it, too.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: size)
    guard let choice = input.first else { return 0 }
    let way = ways[Int(choice &- UInt8(ascii: "0")) % ways.count]
    way.take(Array(input.dropFirst()))
    return 0
}
