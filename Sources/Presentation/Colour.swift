import Glibc

/// A colour of the screen, in sRGB.
public struct Colour: Hashable, Sendable {
    public var red, green, blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public static let white = Colour(red: 255, green: 255, blue: 255)
    public static let black = Colour(red: 0, green: 0, blue: 0)

    /// - Parameter text: As CSS writes it, with six digits: `#0b5cad`.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.utf8.dropFirst().allSatisfy({ $0 != UInt8(ascii: "+") }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    /// As CSS writes it.
    public var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The contrast of the two, 1 to 21 (WCAG 2.2, "contrast ratio").
    public func contrast(with other: Colour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// What of white and black is better to read on it; one of them always has 4.5.
    public var ink: Colour { contrast(with: .white) >= contrast(with: .black) ? .white : .black }

    /// Itself, or as much lighter as it takes to be read on that dark ground.
    public func readable(on ground: Colour, contrast least: Double) -> Colour {
        for share in 0...20 where mixed(with: .white, twentieths: share).contrast(with: ground) >= least {
            return mixed(with: .white, twentieths: share)
        }
        return .white
    }

    private func mixed(with other: Colour, twentieths share: Int) -> Colour {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(clamping: (Int(one) * (20 - share) + Int(two) * share) / 20)
        }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// Of the light that white has (WCAG 2.2, "relative luminance").
    private var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    private static func linear(_ part: UInt8) -> Double {
        let share = Double(part) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}
