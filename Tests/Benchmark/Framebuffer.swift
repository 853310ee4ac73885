import BusTesting
import Glibc

/// What stands on the screen of an Xvfb, which keeps its pixels in a file when it is told to (`-fbdir`).
struct Framebuffer: Sendable {
    /// Some of the pixels, evenly over the screen.
    typealias Picture = [UInt8]

    let path: String

    init(inFolder folder: String) { path = "\(folder)/Xvfb_screen0" }

    func picture() throws -> Picture {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw TestingError("cannot read \(path)") }
        defer { close(file) }
        // One read, or the picture would be of several moments.
        let bytes = [UInt8](unsafeUninitializedCapacity: 8 << 20) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        // No multiple of a row, so that the samples are no columns.
        return stride(from: 0, to: bytes.count, by: 404).map { bytes[$0] }
    }

    /// Whether they show the same, but for a caret or the like.
    static func isSame(_ one: Picture, _ other: Picture) -> Bool {
        one.count == other.count && zip(one, other).count { $0 != $1 } <= one.count / 1000
    }

    /// Waits until a picture is on the screen; the screen announces nothing, so it is looked at again and again.
    func wait(for wanted: Picture) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !Self.isSame(try picture(), wanted) {
            guard ContinuousClock.now < end else { throw TestingError("the page never stood on the screen") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// What stands there when nothing has changed for a second.
    func stillPicture() async throws -> Picture {
        var last = try picture()
        var since = ContinuousClock.now
        let end = since + .seconds(60)
        while ContinuousClock.now - since < .seconds(1) {
            guard ContinuousClock.now < end else { throw TestingError("the screen never stood still") }
            try await Task.sleep(for: .milliseconds(50))
            let now = try picture()
            if !Self.isSame(now, last) { (last, since) = (now, .now) }
        }
        return last
    }
}
