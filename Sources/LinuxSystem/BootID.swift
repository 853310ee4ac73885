/// The kernel's name of this boot.
package enum BootID {
    /// Empty if it cannot be read.
    package static var current: String {
        let text = readSmallFile("/proc/sys/kernel/random/boot_id") ?? []
        return String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    }
}
