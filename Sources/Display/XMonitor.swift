import CXCB

/// The part of a screen that a monitor shows, in pixels.
struct XMonitor: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// More are not looked at.
    private static let most = 16
    /// Any program can name a part of the screen a monitor; one without room for what has to be read there is none.
    private static let least = (width: 320, height: 200)

    func holds(_ x: Int, _ y: Int) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }

    private func meets(_ other: XMonitor) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    private func holds(_ other: XMonitor) -> Bool {
        holds(other.x, other.y) && holds(other.x + other.width - 1, other.y + other.height - 1)
    }

    /// The monitors, each part of the screen at most once: of two that show the same the larger one, of two that overlap the first.
    ///
    /// - Parameter found: As the server says it, which may be anything.
    /// - Returns: All of the screen if none of them is of use.
    static func sensible(_ found: [XMonitor], inScreen screen: (width: Int, height: Int)) -> [XMonitor] {
        var kept: [XMonitor] = []
        for one in found {
            let (left, top) = (max(0, one.x), max(0, one.y))
            let (right, bottom) = (min(screen.width, one.x + one.width), min(screen.height, one.y + one.height))
            let part = XMonitor(x: left, y: top, width: right - left, height: bottom - top)
            guard part.width >= least.width, part.height >= least.height else { continue }
            let met = kept.filter { $0.meets(part) }
            guard met.allSatisfy({ part.holds($0) }) else { continue }
            kept.removeAll { met.contains($0) }
            kept.append(part)
        }
        return kept.isEmpty ? [XMonitor(x: 0, y: 0, width: screen.width, height: screen.height)] : kept
    }

    static func all(_ connection: XConnection, of root: xcb_window_t, inScreen screen: (width: Int, height: Int))
        -> [XMonitor]
    {
        var found = [baton_x_monitor](repeating: baton_x_monitor(), count: most)
        let count = found.withUnsafeMutableBufferPointer {
            baton_x_monitors(connection.raw, root, $0.baseAddress, $0.count)
        }
        let monitors = found.prefix(max(0, count)).map {
            XMonitor(x: Int($0.x), y: Int($0.y), width: Int($0.width), height: Int($0.height))
        }
        return sensible(monitors, inScreen: screen)
    }
}
