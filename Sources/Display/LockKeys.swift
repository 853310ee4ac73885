import CXCB
import CXKB
import Glibc

/// What the symbols of a key mean on a locked screen (X11/keysymdef.h).
enum LockKeys {
    /// What the modifiers make of the key; but a key whose digit needs shift is that digit without it, too, as long as it is no
    /// letter otherwise: a PIN is digits, as a rule.
    ///
    /// - Parameters:
    ///   - symbol: With the modifiers; 0: none.
    ///   - shifted: With shift alone; nil: shift is held.
    ///   - isCommand: Control, Alt or Super is held: what is meant then, such as to paste, is no letter of a PIN.
    static func key(of symbol: UInt32, shifted: UInt32?, isCommand: Bool = false) -> LockKey? {
        if let key = editing(symbol) { return key }
        if isCommand { return nil }
        if let shifted, let digit = digit(shifted), !isLetter(symbol) || !isASCII(symbol) { return digit }
        if let digit = digit(symbol) { return digit }
        let code = xkb_keysym_to_utf32(symbol)
        guard code > 0x20, code != 0x7f, let scalar = Unicode.Scalar(code) else { return nil }
        return .character(scalar)
    }

    private static func editing(_ symbol: UInt32) -> LockKey? {
        switch symbol {
        case 0xff0d, 0xff8d: .enter
        case 0xff08, 0xffff, 0xff9f: .erase
        case 0xff1b: .cancel
        default: nil
        }
    }

    /// Of the rows of digits, and of a key pad whether or not it is locked to digits.
    private static func digit(_ symbol: UInt32) -> LockKey? {
        switch symbol {
        case 0x30...0x39: .digit(UInt8(symbol - 0x30))
        case 0xffb0...0xffb9: .digit(UInt8(symbol - 0xffb0))
        case 0xff9e: .digit(0)
        case 0xff9c: .digit(1)
        case 0xff99: .digit(2)
        case 0xff9b: .digit(3)
        case 0xff96: .digit(4)
        case 0xff9d: .digit(5)
        case 0xff98: .digit(6)
        case 0xff95: .digit(7)
        case 0xff97: .digit(8)
        case 0xff9a: .digit(9)
        default: nil
        }
    }

    private static func isLetter(_ symbol: UInt32) -> Bool {
        Unicode.Scalar(xkb_keysym_to_utf32(symbol))?.properties.isAlphabetic ?? false
    }

    private static func isASCII(_ symbol: UInt32) -> Bool { symbol < 0x80 }
}
