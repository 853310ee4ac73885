import Baton
import ReceiptChain

/// What `receipts verify` has found. Programs read its keys.
struct VerificationReport: Encodable {
    struct Fault: Encodable, Hashable {
        /// The line of the file, or which entry of those that were read; 0: none.
        var line: Int
        var sequence: UInt64
        var epoch: Epoch
        var kind: String
        var text: String
    }

    var isVerified: Bool { fault == nil }
    /// The first thing that is wrong; nil: nothing is, in what was looked at.
    var fault: Fault?
    /// Nil: something is wrong.
    var findings: ChainFindings?
    /// What nothing is known of, one sentence each.
    var unchecked: [String] = []

    /// - Parameter hasLines: What was read is a file.
    init(_ fault: ChainFault, hasLines: Bool) {
        self.fault = Fault(
            line: fault.place, sequence: fault.sequence, epoch: fault.epoch, kind: Text.Chain.kind(fault.kind),
            text: Text.Chain.fault(fault, hasLines: hasLines))
    }

    /// - Parameter isKeyFromDevice: No key was given that was kept elsewhere.
    init(_ findings: ChainFindings, isKeyFromDevice: Bool = false) {
        self.findings = findings
        unchecked = Text.Chain.unchecked(findings, isKeyFromDevice: isKeyFromDevice)
    }

    private enum Key: String, CodingKey {
        case verified, fault, entries, first, head, from, until, journals, keys, found, pruned, unchecked
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(isVerified, forKey: .verified)
        try object.encode(fault, forKey: .fault)
        try object.encode(unchecked, forKey: .unchecked)
        guard let findings else { return }
        try object.encode(findings.entries, forKey: .entries)
        try object.encode(findings.first, forKey: .first)
        try object.encode(findings.head.text, forKey: .head)
        try object.encode(findings.firstTime, forKey: .from)
        try object.encode(findings.lastTime, forKey: .until)
        try object.encode(findings.journals, forKey: .journals)
        try object.encode(findings.keys, forKey: .keys)
        try object.encode(findings.found, forKey: .found)
        try object.encode(findings.pruned, forKey: .pruned)
    }
}
