import LinuxSystem
import Processes
import Vocabulary

/// What the kernel and the sandboxes can do.
enum KernelLook {
    static func findings() async -> [Finding] {
        let missing = [
            ("pidfd", KernelFeatures.hasPidfd), ("openat2", KernelFeatures.hasOpenat2),
            ("memfd", KernelFeatures.hasMemfd),
        ].filter { !$0.1 }.map(\.0)
        var result: [Finding] = [
            missing.isEmpty
                ? .ok("kernel", Text.Doctor.kernelIsFine)
                : .wrong("kernel", Text.Doctor.kernelLacks(missing), Text.Doctor.newerKernel)
        ]
        if await ProgramWrapper.detect(namespace: true).proof == .namespace {
            result.append(.ok("namespaces", Text.Doctor.namespacesWork))
        } else {
            result.append(.warning("namespaces", Text.Doctor.noNamespaces, Text.Doctor.allowNamespaces))
        }
        result.append(
            KernelFeatures.hasControlGroups
                ? .ok("cgroups", Text.Doctor.groupsAreThere)
                : .warning("cgroups", Text.Doctor.noGroups, Text.Doctor.mountGroups))
        return result
    }
}
