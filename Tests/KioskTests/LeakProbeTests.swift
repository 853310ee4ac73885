import BusTesting
import FolderTesting
import KioskTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct LeakProbeTests {
    let token = "Canary\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"

    @Test func `The text is found in files in every form, across the pieces that are read, and in names`() async throws
    {
        let folder = try TemporaryFolder("probe")
        try folder.write(token, to: "plain")
        try folder.write(String(repeating: "-", count: 1 << 20 - 10) + token, to: "across")
        try folder.write(token.utf16.map { "\(Unicode.Scalar($0) ?? " ")\0" }.joined(), to: "wide")
        try folder.write("nothing", to: "of \(token)")
        try folder.write("nothing", to: "other")
        let places = await LeakProbe(token).files(under: [folder.path]).places
        let expected = [
            ("plain", "UTF-8"), ("across", "UTF-8"), ("wide", "UTF-16"),
        ].map { LeakProbe.Place(place: "\(folder.path)/\($0.0)", form: $0.1) }
        #expect(Set(places).isSuperset(of: expected) && places.count == 4, "\(places)")
    }

    @Test func `The text is found in base64 whatever stands before it`() async throws {
        for before in ["", "a", "ab"] {
            let folder = try TemporaryFolder("probe")
            try folder.write("\(before)\(token)", to: "plain")
            let text = await (try ChildProcess(["base64", "--wrap=0", "\(folder.path)/plain"])).end().output
            try folder.write("nothing", to: "plain")
            try folder.write(text, to: "coded")
            #expect(await LeakProbe(token).files(under: [folder.path]).places.map(\.form) == ["base64"])
        }
    }

    @Test func `The text is found in a process, in its environment and its memory`() async throws {
        let child = try ChildProcess(["sleep", "600"], environment: ["CANARY": token])
        let places = await LeakProbe(token).processes(only: [child.processID]).places.map(\.place)
        #expect(places.contains("/proc/\(child.processID)/environ"))
        // Its name may still be that of the thread that started it.
        #expect(places.contains { $0.hasPrefix("memory of \(child.processID) ") })
        child.kill()
    }

    @Test func `The text is found on the clipboard of a display`() async throws {
        let display = try VirtualDisplay()
        let folder = try TemporaryFolder("probe")
        try folder.write(token, to: "text")
        #expect(try await LeakProbe(token).selections(display: display.display) == [])
        // xclip goes on in the background as the owner, and ends with the display.
        let xclip = try ChildProcess(
            ["sh", "-c", "exec xclip -selection clipboard \(folder.path)/text >/dev/null 2>&1"],
            environment: ["DISPLAY": display.display])
        #expect(await xclip.end().status == 0)
        #expect(try await LeakProbe(token).selections(display: display.display) == [.clipboard])
    }
}
