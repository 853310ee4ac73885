import BusTesting
import FolderTesting

extension TemporaryFolder {
    /// What is `/etc/chromium` to a browser, with the policies that are shipped.
    static func withPolicies() throws -> TemporaryFolder {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let policies = contents("/\(package)/packaging/chromium-policies.json") else {
            throw TestingError("no policies")
        }
        let folder = try TemporaryFolder("policies")
        try folder.write(policies, to: "policies/managed/baton.json")
        return folder
    }
}
