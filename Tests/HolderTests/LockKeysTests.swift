import Testing

@testable import Display

struct LockKeysTests {
    /// A key's symbols as X11/keysymdef.h numbers them.
    private static let (ampersand, one, eacute, two, exclam): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
        0x26, 0x31, 0xe9, 0x32, 0x21
    )

    @Test func `a digit that needs shift is one without it, and shift gives what the key has there`() {
        // French: & and 1, é and 2.
        #expect(LockKeys.key(of: Self.ampersand, shifted: Self.one) == .digit(1))
        #expect(LockKeys.key(of: Self.one, shifted: nil) == .digit(1))
        #expect(LockKeys.key(of: Self.eacute, shifted: Self.two) == .digit(2))
        // American: 1 and !.
        #expect(LockKeys.key(of: Self.one, shifted: Self.exclam) == .digit(1))
        #expect(LockKeys.key(of: Self.exclam, shifted: nil) == .character("!"))
    }

    @Test func `what is held with Control, Alt or Super is no letter of a PIN, and Return is Return`() {
        #expect(LockKeys.key(of: 0x76, shifted: 0x56, isCommand: true) == nil)
        #expect(LockKeys.key(of: Self.one, shifted: Self.exclam, isCommand: true) == nil)
        #expect(LockKeys.key(of: 0xff0d, shifted: 0xff0d, isCommand: true) == .enter)
    }

    @Test func `letters are letters, a key pad is digits, and what writes nothing is no key`() {
        #expect(LockKeys.key(of: 0x61, shifted: 0x41) == .character("a"))
        #expect(LockKeys.key(of: 0x6f6, shifted: nil) == .character("Ж"))
        #expect(LockKeys.key(of: 0xff9c, shifted: 0xffb1) == .digit(1))
        #expect(LockKeys.key(of: 0xffb7, shifted: nil) == .digit(7))
        for symbol: UInt32 in [0, 0x20, 0xffe1, 0xff09, 0xffbe, .max] {
            #expect(LockKeys.key(of: symbol, shifted: 0) == nil)
        }
        #expect(LockKeys.key(of: 0xff0d, shifted: 0xff0d) == .enter && LockKeys.key(of: 0xff08, shifted: 0) == .erase)
        // Gives up what another device is waited for.
        #expect(LockKeys.key(of: 0xff1b, shifted: 0xff1b) == .cancel)
    }
}
