package import BatonContract
package import SessionMachine
import Supervisor

extension Answer {
    /// The value that the adapter expects, or the error that the caller gets.
    func value<Value>(_ pick: (Answer) -> Value?) throws -> Value {
        if case .refused(let refusal) = self { throw BatonError(refusal) }
        guard let value = pick(self) else { throw BatonError(.failed) }
        return value
    }

    func done() throws {
        try value { if case .done = $0 { () } else { nil } }
    }
}

extension BatonError {
    package init(_ refusal: Refusal) {
        self.init(refusal.code, refusal.text)
    }
}
