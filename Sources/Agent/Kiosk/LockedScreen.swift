import Display
import Presentation
import Vocabulary

/// The lock of a turn, as its worker sees it, and what has been typed on it.
struct LockedScreen: Sendable {
    /// What an order of batond says of it.
    struct Terms: Sendable {
        /// Whose turn it is; empty: it is not known.
        var name: String
        /// When the worker is signed out, as a clock shows it; empty: never.
        var end: String
        var hasPIN: Bool
        var hasPhone: Bool
    }

    /// How far the worker's other device is.
    private enum Phone: Equatable {
        case unused
        case asked
        case shown(LockCode)
    }

    let epoch: Epoch
    private var terms: Terms
    let language: Language
    /// The characters of a PIN, each as UTF-8.
    private(set) var typed: [[UInt8]] = []
    /// What the last try came to; empty: none failed.
    private var message = ""
    /// A PIN is being looked at, or the sign-out has been asked for.
    private(set) var isBusy = false
    private var phone = Phone.unused

    /// More than any PIN that can be typed here.
    private static let most = 64

    init(epoch: Epoch, _ terms: Terms, language: Language) {
        self.epoch = epoch
        self.terms = terms
        self.language = language
    }

    /// batond says anew how the worker can come back.
    mutating func take(_ terms: Terms) {
        self.terms = terms
        if !takesPIN { forget() }
    }

    private var texts: WorkerTexts { .of(language) }

    var face: LockFace {
        var code: LockCode?
        if case .shown(let shown) = phone { code = shown }
        return LockFace(
            name: terms.name, title: texts.locked, hint: hint, message: message,
            end: terms.end.isEmpty ? "" : WorkerTexts.filled(texts.lockEnd, ["time": terms.end]), typed: typed.count,
            hasKeys: terms.hasPIN,
            back: code != nil ? texts.cancel : terms.hasPIN ? texts.back : texts.backByPhone,
            phone: terms.hasPhone ? texts.phoneKey : "", elsewhere: code,
            other: WorkerTexts.filled(texts.somebodyElse, ["name": terms.name]).trimmed)
    }

    private var hint: String {
        if terms.hasPIN { return texts.lockHint }
        return terms.hasPhone ? texts.lockPhoneHint : texts.lockWithoutPIN
    }

    enum Wish: Equatable {
        case unlock(pin: String)
        case unlockByPhone
        /// The other device is not waited for any more.
        case cancel
        case signOut
    }

    /// - Returns: What is to be asked of batond; nil: nothing.
    mutating func press(_ key: LockKey) -> Wish? {
        if isBusy { return nil }
        switch key {
        case .other:
            isBusy = true
            return .signOut
        case .cancel:
            if phone != .unused { return .cancel }
        case .phone:
            guard terms.hasPhone, phone == .unused else { return nil }
            (message, phone) = ("", .asked)
            forget()
            return .unlockByPhone
        case .character(let character):
            guard takesPIN else { return nil }
            message = ""
            if typed.count < Self.most { typed.append(Array(String(Character(character)).utf8)) }
        case .erase:
            guard takesPIN else { return nil }
            message = ""
            if !typed.isEmpty { typed.removeLast() }
        case .enter:
            guard takesPIN, !typed.isEmpty else { return nil }
            isBusy = true
            return .unlock(pin: String(decoding: typed.joined(), as: UTF8.self))
        }
        return nil
    }

    /// A provider that does not answer keeps no worker from their PIN.
    private var takesPIN: Bool {
        if case .shown = phone { return false }
        return terms.hasPIN
    }

    /// What has to be done on the worker's other device. The newest counts: one before it was another caller's.
    mutating func show(_ code: LockCode) {
        guard phone != .unused else { return }
        phone = .shown(code)
        forget()
    }

    /// The other device is not waited for any more.
    mutating func endPhone(_ answer: WorkerLine) {
        phone = .unused
        // An account that may not sign in here is not the holder's.
        message = answer.says(.wrongPIN) ? texts[.heldByAnother] : text(of: answer)
    }

    /// What was asked for did not come.
    mutating func refused(_ answer: WorkerLine) {
        forget()
        isBusy = false
        message = text(of: answer)
    }

    private func text(of answer: WorkerLine) -> String {
        if answer.pageText.isEmpty { return "" }
        if answer.says(.wrongPIN) { return texts.lockWrongPIN }
        if answer.says(.choosePIN) { return terms.hasPhone ? texts.lockPhoneHint : texts.lockWithoutPIN }
        return texts[WorkerMessage(rawValue: answer.pageText) ?? .failed]
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
