import FolderTesting
import FoundationEssentials
import KioskTesting
import ProviderTesting
import Testing

/// Runs without Baton in which nothing is cleared: what is left must be found, or a look that finds nothing says nothing.
@Suite(.asOrdinaryUser, .serialized, .timeLimit(.minutes(3))) struct TestSiteControlTests {
    let token = "Canary\(UInt64.random(in: .min ... .max))\(UInt64.random(in: .min ... .max))"

    @Test func `Chromium that nobody clears shows the next person every kind of state`() async throws {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let home = try TemporaryFolder("chromium")
        try await NSSStore.make(inHome: home.path, authority)
        let display = try VirtualDisplay()
        func start(_ addresses: String...) throws -> PipedChromium {
            try PipedChromium(
                home: home.path, display: display.display, arguments: TestSite.chromiumArguments() + addresses)
        }

        var browser: PipedChromium? = try start(site.standbyAddress("first"), site.standbyAddress("second"))
        try await browser?.call(
            "Browser.setPermission",
            #"{"permission":{"name":"geolocation"},"setting":"granted","origin":"\#(site.address)"}"#)
        try await browser?.call(
            "Target.createTarget", #"{"url":"\#(site.standbyAddress("hidden", token: token))","hidden":true}"#)
        try await site.waitUntilAlive(token, "standby")
        try await site.send("first", to: site.seedAddress(token))
        let seeding = try await site.seeding(token)
        #expect(seeding.seeded == StateKind.shared.union(StateKind.ofTab), "\(seeding.failed)")
        let left = seeding.seeded

        try await site.send("second", to: site.lookAddress("otherTab"))
        let inOtherTab = try await site.report(run: "otherTab")
        #expect(left.intersection(StateKind.shared).subtracting(inOtherTab.keys) == [])
        #expect(Set(site.alive(token)).isSuperset(of: ["openPage", "standby"]))
        try await site.send("seed \(token)", to: site.lookAddress("sameTab"))
        let inSameTab = try await site.report(run: "sameTab")
        #expect(left.intersection(StateKind.ofTab).subtracting(inSameTab.keys) == [])
        let running = await LeakProbe(token).processes()
        #expect(running.places.contains { $0.place.contains("chromium") }, "\(running)")

        // A form's fields are remembered only when somebody typed in them.
        try await browser?.call("Target.createTarget", #"{"url":"\#(site.address)/form"}"#)
        _ = try await site.request(for: "/form-ready")
        try await browser?.type(token, intoPageAt: "/form")
        #expect(try await site.request(for: "/arrived").contains(token))

        try await browser?.close()
        browser = nil
        try await site.waitUntilGone(token)
        let onDisk = await LeakProbe(token).files(under: [home.path]).places
        #expect(
            onDisk.contains { $0.place.contains("/History") } && onDisk.contains { $0.place.contains("Downloads/") })

        browser = try start(site.standbyAddress("third"))
        try await site.send("third", to: site.lookAddress("restarted"))
        let afterStart = try await site.report(run: "restarted")
        #expect(left.intersection(StateKind.kept).subtracting(afterStart.keys) == [])
        #expect(afterStart.values.contains(token))
        try await browser?.close()
    }

    @Test func `A fresh Chromium shows nothing of anybody`() async throws {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let home = try TemporaryFolder("chromium")
        try await NSSStore.make(inHome: home.path, authority)
        let display = try VirtualDisplay()
        let browser = try PipedChromium(
            home: home.path, display: display.display,
            arguments: TestSite.chromiumArguments() + [site.lookAddress("fresh")])
        #expect(try await site.report(run: "fresh") == [:])
        try await browser.close()
    }

    @Test func `Firefox that nobody clears shows the next person every kind of state`() async throws {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let home = try TemporaryFolder("firefox")
        try await NSSStore.make(inFolder: "\(home.path)/profile", authority)
        let display = try VirtualDisplay()
        func start(_ addresses: String...) throws -> PlainFirefox {
            try PlainFirefox(
                home: home.path, display: display.display, addresses: addresses,
                preferences: TestSite.firefoxPreferences())
        }

        var browser = try start(site.standbyAddress("first"), site.standbyAddress("second"))
        try await site.send("first", to: site.seedAddress(token))
        let seeding = try await site.seeding(token)
        // A grant needs a click on the browser's own window; storage buckets are Chromium's. Form history, which
        // Firefox keeps only of what was typed, is left out, as are passwords, whose storing both ask a person about.
        let expected = StateKind.shared.union(StateKind.ofTab).subtracting([.permission, .storageBucket])
        #expect(seeding.seeded == expected, "\(seeding.failed)")
        let left = seeding.seeded

        try await site.send("second", to: site.lookAddress("otherTab"))
        let inOtherTab = try await site.report(run: "otherTab")
        #expect(left.intersection(StateKind.shared).subtracting(inOtherTab.keys) == [])
        try await site.send("seed \(token)", to: site.lookAddress("sameTab"))
        let inSameTab = try await site.report(run: "sameTab")
        #expect(left.intersection(StateKind.ofTab).subtracting(inSameTab.keys) == [])
        let running = await LeakProbe(token).processes()
        #expect(!running.places.isEmpty)

        await browser.close()
        try await site.waitUntilGone(token)
        let onDisk = await LeakProbe(token).files(under: [home.path]).places
        for part in ["/places.sqlite", "/cookies.sqlite", "Downloads/"] {
            #expect(onDisk.contains { $0.place.contains(part) }, "\(part) in \(onDisk)")
        }

        browser = try start(site.standbyAddress("third"))
        try await site.send("third", to: site.lookAddress("restarted"))
        let afterStart = try await site.report(run: "restarted")
        #expect(left.intersection(StateKind.kept).subtracting(afterStart.keys) == [])
        await browser.close()
    }

    @Test func `A fresh Firefox shows nothing of anybody, and a proxy brings it to this machine`() async throws {
        let authority = try await TestCertificateAuthority(names: TestSite.certificateNames)
        let site = try await TestSite.start(authority)
        let home = try TemporaryFolder("firefox")
        try await NSSStore.make(inFolder: "\(home.path)/profile", authority)
        let display = try VirtualDisplay()
        let browser = try PlainFirefox(
            home: home.path, display: display.display, addresses: [site.lookAddress("fresh")],
            preferences: site.firefoxProxyPreferences())
        #expect(try await site.report(run: "fresh") == [:])
        try await site.send("look fresh", to: "https://localhost:\(site.port)/arrived")
        _ = try await site.request(for: "/arrived")
        #expect(Set(site.tunnels).isSuperset(of: ["site.test:\(site.port)", "localhost:\(site.port)"]))
        await browser.close()
    }
}
