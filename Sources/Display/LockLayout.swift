/// Where on a locked screen things are: a panel in its middle, as large as fits well. In pixels.
struct LockLayout {
    struct Box: Hashable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        func holds(_ x: Double, _ y: Double) -> Bool {
            x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
        }

        var middle: (x: Double, y: Double) { (x + width / 2, y + height / 2) }
    }

    /// How many pixels a unit of the drawing has.
    let unit: Double
    /// Of the panel, on the screen.
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    /// In units.
    private static let size = (width: 460.0, height: 630.0)

    init(screen: (width: Int, height: Int)) {
        let fits = min(Double(screen.width) / Self.size.width, Double(screen.height) / Self.size.height)
        unit = min(fits, max(1, Double(min(screen.width, screen.height)) / 900))
        width = max(1, min(screen.width, Int(Self.size.width * unit)))
        height = max(1, min(screen.height, Int(Self.size.height * unit)))
        left = (screen.width - width) / 2
        top = (screen.height - height) / 2
    }

    /// On the panel, in units.
    enum Line: Double { case title = 24, name = 62, hint = 102, dots = 132, end = 612 }

    static let keys: [(key: LockKey, box: Box)] =
        (0..<12).compactMap { place in
            let key: LockKey
            switch place {
            case 9: return nil
            case 11: key = .erase
            default: key = .digit(place == 10 ? 0 : UInt8(place + 1))
            }
            return (key, Box(x: 68 + Double(place % 3) * 112, y: 156 + Double(place / 3) * 74, width: 100, height: 66))
        }
    static let back = Box(x: 30, y: 458, width: 400, height: 62)
    static let other = Box(x: 30, y: 528, width: 400, height: 62)

    /// The place that the digits leave.
    static let phone = Box(x: 68, y: 378, width: 100, height: 66)

    /// What lies under a point of the screen.
    func key(atX x: Double, _ y: Double, on face: LockFace) -> LockKey? {
        let (x, y) = ((x - Double(left)) / unit, (y - Double(top)) / unit)
        if Self.other.holds(x, y) { return .other }
        if Self.back.holds(x, y) { return face.backKey }
        guard face.elsewhere == nil, face.hasKeys else { return nil }
        if !face.phone.isEmpty, Self.phone.holds(x, y) { return .phone }
        return Self.keys.first { $0.box.holds(x, y) }?.key
    }
}
