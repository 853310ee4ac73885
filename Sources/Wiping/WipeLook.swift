package import LinuxSystem

/// Looks whether a directory holds nothing but what is to be kept; it changes nothing.
package struct WipeLook {
    private let root: String
    private var waiting: [(stream: DirectoryStream, kept: KeptPaths, path: String)]
    /// The path of the first thing that should not be there.
    package private(set) var found: String?

    package init(root: String, stream: DirectoryStream, kept: KeptPaths) {
        self.root = root
        waiting = [(stream, kept, root)]
    }

    package mutating func findsNothing() -> Bool {
        while let (stream, kept, path) = waiting.popLast() {
            reading: while true {
                switch stream.next() {
                case .end:
                    break reading
                case .failed:
                    found = path
                    return false
                case .entry(let name):
                    let below = kept[name]
                    if below.isKept { continue }
                    let path = path + "/" + name.text
                    guard !below.isEmpty, case .success(let child) = DirectoryStream.open(name, in: stream.descriptor)
                    else {
                        found = path
                        return false
                    }
                    waiting.append((child, below, path))
                }
            }
        }
        return true
    }
}
