import Display
import Presentation
import Vocabulary

/// The lock of a turn, as its worker sees it, and what has been typed on it.
struct LockedScreen: Sendable {
    let epoch: Epoch
    /// Whose turn it is; empty: it is not known.
    let name: String
    /// When the worker is signed out, as a clock shows it; empty: never.
    let end: String
    let hasPIN: Bool
    let language: Language
    /// The characters of a PIN, each as UTF-8.
    private(set) var typed: [[UInt8]] = []
    private(set) var isWrong = false
    /// A PIN is being looked at, or the sign-out has been asked for.
    private(set) var isBusy = false

    /// More than any PIN that can be typed here.
    private static let most = 64

    init(epoch: Epoch, name: String, end: String, hasPIN: Bool, language: Language) {
        self.epoch = epoch
        self.name = name
        self.end = end
        self.hasPIN = hasPIN
        self.language = language
    }

    var face: LockFace {
        let texts = WorkerTexts.of(language)
        return LockFace(
            name: name, title: texts.locked, hint: hasPIN ? texts.lockHint : texts.lockWithoutPIN,
            message: isWrong ? texts.lockWrongPIN : "",
            end: end.isEmpty ? "" : WorkerTexts.filled(texts.lockEnd, ["time": end]), typed: typed.count,
            hasKeys: hasPIN, back: texts.back,
            other: WorkerTexts.filled(texts.somebodyElse, ["name": name]).trimmed)
    }

    enum Wish: Equatable {
        case unlock(pin: String)
        case signOut
    }

    /// - Returns: What is to be asked of batond; nil: nothing.
    mutating func press(_ key: LockKey) -> Wish? {
        if isBusy { return nil }
        switch key {
        case .character(let character):
            isWrong = false
            if typed.count < Self.most { typed.append(Array(String(Character(character)).utf8)) }
        case .erase:
            isWrong = false
            if !typed.isEmpty { typed.removeLast() }
        case .enter:
            guard !typed.isEmpty else { return nil }
            isBusy = true
            return .unlock(pin: String(decoding: typed.joined(), as: UTF8.self))
        case .other:
            isBusy = true
            return .signOut
        }
        return nil
    }

    /// What was asked for did not come.
    mutating func refused(wrongPIN: Bool) {
        forget()
        isBusy = false
        isWrong = wrongPIN
    }

    /// What a person typed who went away is no part of the next one's PIN.
    mutating func forget() {
        typed = []
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self[...]
        while let last = rest.last, last == " " || last == ":" { rest.removeLast() }
        return String(rest)
    }
}
