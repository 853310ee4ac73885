import CLinux

/// This process, as other processes of the same user see it.
public enum OwnMemory {
    /// From now on none of them can look into it: no core file, no debugger, no copy of its descriptors through /proc.
    /// A program that it starts can be looked into again.
    public static func shield() { _ = baton_forbid_dumping() }
}
