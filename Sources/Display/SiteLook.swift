import Synchronization

/// What drawn things have of the site's own look. A program has one screen, so there is one.
public struct SiteLook: Sendable {
    /// Of what a worker is asked to press: to be read on a dark ground.
    public var red: UInt8 = 255
    public var green: UInt8 = 199
    public var blue: UInt8 = 51
    /// Nil: none.
    public var logo: SiteLogo?

    public init() {}

    private static let shared = Mutex(SiteLook())

    public static var current: SiteLook {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    var accent: Panel.Ink {
        Panel.Ink(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
    }
}
