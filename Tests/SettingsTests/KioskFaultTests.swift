import FolderTesting
import Glibc
import Settings
import SystemPackage
import Testing

/// Settings that would put a terminal into the hands of its kiosk user, for whom `nobody` stands.
@Suite(.enabled(if: geteuid() == 0, "only root can give files away")) struct KioskFaultTests {
    private func load(_ path: FilePath) async -> (parsed: Settings.Parsed?, faults: String) {
        do throws(SettingsFaults) {
            let parsed = try await Settings.load(path, required: true, scope: .system, environment: [:])
            return (parsed, parsed.appFaults.map(\.description).joined(separator: "\n"))
        } catch {
            return (nil, error.description)
        }
    }

    @Test(arguments: [
        ("agent: {user: nobody}\nadministrators: [root, nobody]\n", "administrators: 'nobody' is the kiosk user"),
        ("agent: {user: nobody}\nadministrators: ['%nogroup']\n", "the kiosk user is in the group 'nogroup'"),
        ("agent: {user: root}\n", "agent.user: the agent and each app would run as root"),
    ]) func `the kiosk user administers nothing, and is not root`(settings: String, fault: String) async throws {
        let folder = try TemporaryFolder("settings")
        let found = await load(try folder.file(settings))
        #expect(found.parsed == nil && found.faults.contains(fault), "\(found.faults)")
    }

    @Test(arguments: [0o777, 0o775] as [mode_t]) func `a folder of apps that others can write is refused`(
        mode: mode_t
    ) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("agent: {user: nobody}\n")
        try folder.file("name: App\n", as: "apps.d/org.example.App.yaml")
        let apps = folder.path(of: "apps.d")
        chmod(apps, 0o755)
        #expect(await load(path).parsed?.settings.apps.count == 1)
        chmod(apps, mode)
        #expect(await load(path).faults.contains("lets others put apps there"))
        chmod(apps, 0o755)
        chown(apps, 65534, 65534)
        #expect(await load(path).faults.contains("belongs to user 65534"))
    }

    @Test(arguments: [("bin", 65534, 0o755), ("bin", 0, 0o777), ("bin/app", 0, 0o757)] as [(String, uid_t, mode_t)])
    func `an app whose program the kiosk user can replace is disabled`(
        part: String, owner: uid_t, mode: mode_t
    ) async throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.file("agent: {user: nobody}\n")
        let program = try folder.file("#!/bin/sh\n", as: "bin/app", mode: 0o755)
        chmod(folder.path(of: "bin"), 0o755)
        try folder.file("command: \(program)\n", as: "apps.d/org.example.App.yaml")
        #expect(await load(path).parsed?.settings.apps.map(\.id) == ["org.example.App"])
        let changed = folder.path(of: part)
        chown(changed, owner, 0)
        chmod(changed, mode)
        let found = await load(path)
        #expect(found.parsed?.settings.apps.isEmpty == true && found.parsed?.disabledApps == ["org.example.App"])
        #expect(found.faults.contains("command: the kiosk user can write \(changed),"), "\(found.faults)")
    }
}
