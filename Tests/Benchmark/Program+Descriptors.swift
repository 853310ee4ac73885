import TerminalTesting

extension Program {
    /// Of a process that leaves no core file, as batond, only root may count them.
    var countedDescriptors: String {
        let count = openDescriptors
        return count == 0 ? "descriptors are root's to count" : "\(count) descriptors"
    }
}
