import Glibc
import LinuxSystem
import Testing

@testable import TurnControl

@Suite("What the agent asks a turn for")
struct TurnMessageTests {
    @Test func `is one packet of counts, numbers and texts`() throws {
        let descriptor = Descriptor(owning: dup(STDERR_FILENO))
        let program = TurnProgram(
            arguments: ["sh", "-c"], environment: ["A=b"], folder: "/", handed: [.init(descriptor, as: 7)])
        #expect(try program.message() == [1, 1, 2, 0, 1, 0, 7] + Array("/\0sh\0-c\0A=b\0".utf8))
    }

    @Test func `is refused with no program, a NUL byte, a number twice or too much of it`() {
        let descriptor = Descriptor(owning: dup(STDERR_FILENO))
        func refusal(_ program: TurnProgram) -> TurnProgram.Unsendable? {
            do throws(TurnProgram.Unsendable) {
                _ = try program.message()
                return nil
            } catch { return error }
        }
        #expect(refusal(TurnProgram(arguments: [])) == .noArguments)
        #expect(refusal(TurnProgram(arguments: [""])) == .noArguments)
        #expect(refusal(TurnProgram(arguments: ["a\0b"])) == .invalid)
        #expect(refusal(TurnProgram(arguments: ["a"], environment: ["A=\0"])) == .invalid)
        #expect(refusal(TurnProgram(arguments: ["a"], folder: "\0")) == .invalid)
        let twice = [TurnProgram.Handed(descriptor, as: 3), .init(descriptor, as: 3)]
        #expect(refusal(TurnProgram(arguments: ["a"], handed: twice)) == .invalid)
        #expect(refusal(TurnProgram(arguments: ["a"], handed: [.init(descriptor, as: 251)])) == .invalid)
        let many = (0..<17).map { TurnProgram.Handed(descriptor, as: UInt8($0)) }
        #expect(refusal(TurnProgram(arguments: ["a"], handed: many)) == .tooLarge)
        #expect(refusal(TurnProgram(arguments: Array(repeating: "a", count: 2049))) == .tooLarge)
        #expect(refusal(TurnProgram(arguments: ["a", String(repeating: "b", count: 128 * 1024)])) == .tooLarge)
        #expect(refusal(TurnProgram(arguments: Array(repeating: "a", count: 2048))) == nil)
    }

    @Test func `is answered with a letter and a number, and anything else is no answer`() {
        #expect(TurnAnswer([UInt8(ascii: "S"), 1, 2, 0, 0]) == .started(513))
        #expect(TurnAnswer([UInt8(ascii: "F"), 2, 0, 0, 0]) == .failed(ENOENT))
        #expect(TurnAnswer([UInt8(ascii: "E"), 0, 1, 0, 0]) == .ended(256))
        #expect(TurnAnswer([UInt8(ascii: "S"), 0, 0, 0, 0]) == nil)
        #expect(TurnAnswer([UInt8(ascii: "S"), 0, 0, 0, 0x80]) == nil)
        #expect(TurnAnswer([UInt8(ascii: "X"), 1, 0, 0, 0]) == nil)
        #expect(TurnAnswer([UInt8(ascii: "S"), 1, 0, 0]) == nil)
        #expect(TurnAnswer([UInt8]()) == nil)
    }
}
