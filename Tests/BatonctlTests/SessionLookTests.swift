import Baton
import FolderTesting
import LinuxSystem
import Testing

@testable import BatonctlProgram

/// What doctor makes of the kiosk user's session and of the units, which a test has not of its own.
@Suite struct SessionLookTests {
    /// The user of this process is the kiosk's, and that folder is theirs.
    private func look(
        _ text: String?, answering: Set<String> = [], displays: [String] = [], needsDisplay: Bool = true,
        desktop: SystemUnits.Unit? = nil
    ) -> [Finding] {
        SessionLook(
            file: text.map { SessionFile(text: $0) }, kiosk: UserAccount(id: 0), desktop: desktop,
            needsDisplay: needsDisplay, answers: { answering.contains($0) }, displays: { displays }
        ).findings()
    }

    @Test func `the file is read as systemd reads it`() {
        let file = SessionFile(
            text: "# DISPLAY=:1\n; DISPLAY=:2\n DISPLAY=\":0\" \nXAUTHORITY='a b'\nEMPTY=\nno line\nDISPLAY2=:3\n")
        #expect(
            file["DISPLAY"] == ":0" && file["XAUTHORITY"] == "a b" && file["EMPTY"] == nil && file["no line"] == nil)
    }

    @Test func `a session that is where the file says is right`() {
        let text = "DISPLAY=:0\nXDG_RUNTIME_DIR=/root\nDBUS_SESSION_BUS_ADDRESS=unix:path=/root/bus"
        #expect(look(text, answering: ["/tmp/.X11-unix/X0", "/root/bus"]).map(\.state) == [.ok])
        #expect(look("WAYLAND_DISPLAY=w-1\nXDG_RUNTIME_DIR=/root", answering: ["/root/w-1"]).map(\.state) == [.ok])
        #expect(look("WAYLAND_DISPLAY=/run/w", answering: ["/run/w"]).map(\.state) == [.ok])
        // What cannot be looked at from here is no fault.
        #expect(look("DISPLAY=desk:0\nDBUS_SESSION_BUS_ADDRESS=tcp:host=a").map(\.state) == [.ok])
    }

    @Test func `each fault has one line and a command that mends it`() {
        func only(_ findings: [Finding], _ state: Finding.State = .wrong) -> Finding? {
            findings.count == 1 && findings[0].state == state ? findings[0] : nil
        }
        #expect(only(look(nil)) != nil)
        #expect(only(look("XAUTHORITY=/a"))?.text.contains("neither DISPLAY nor WAYLAND_DISPLAY") == true)
        let other = only(look("DISPLAY=:7", answering: ["/tmp/.X11-unix/X0"], displays: [":0", ":3"]))
        #expect(
            other?.advice == "sed -i 's|^DISPLAY=.*|DISPLAY=:0|' /etc/baton/session.env; systemctl restart baton-agent")
        #expect(only(look("DISPLAY=:7"))?.advice == Text.Doctor.startDesktop)
        let off = SystemUnits.Unit(load: "loaded", active: "failed", file: "enabled", user: "kiosk", group: "")
        #expect(only(look("DISPLAY=:0", desktop: off))?.advice == "systemctl start baton-kiosk")
        // batond manages no browser.
        #expect(only(look("DISPLAY=:7", needsDisplay: false), .warning) != nil)
        #expect(only(look("WAYLAND_DISPLAY=w")) != nil)
        #expect(
            only(look("DISPLAY=a:0\nXDG_RUNTIME_DIR=/nowhere"))?.advice.contains("XDG_RUNTIME_DIR=/run/user/0") == true)
        #expect(only(look("DISPLAY=a:0\nXDG_RUNTIME_DIR=/etc/passwd")) != nil)
        let bus = only(look("DISPLAY=a:0\nDBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere,guid=1"))
        #expect(
            bus?.text.contains("/nowhere,") == true && bus?.advice.contains("unix:path=/run/user/0/bus") == true,
            "\(bus as Any)")
    }

    @Test func `units that nothing starts are told, and another desktop's are no matter of Baton's`() {
        func text(_ batond: String, _ agent: String, _ kiosk: String) -> String {
            [("batond", batond), ("baton-agent", agent), ("baton-kiosk", kiosk)].map { name, rest in
                "Id=\(name).service\nUser=u\nGroup=\n\(rest)"
            }.joined(separator: "\n\n")
        }
        let on = "LoadState=loaded\nActiveState=active\nUnitFileState=enabled"
        let off = "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled"
        let none = "LoadState=not-found\nActiveState=inactive\nUnitFileState="
        let masked = "LoadState=masked\nActiveState=inactive\nUnitFileState=masked"
        func states(_ batond: String, _ agent: String, _ kiosk: String) -> [Finding] {
            UnitLook.findings(SystemUnits(text(batond, agent, kiosk)))
        }
        #expect(states(on, on, none).map(\.state) == [.ok])
        #expect(states(on, on, off).map(\.state) == [.ok])
        #expect(states(off, on, off).map(\.advice) == ["systemctl enable batond"])
        #expect(states(on, masked, none).map(\.advice) == [Text.Doctor.unmask("baton-agent")])
        #expect(states(none, on, none).map(\.advice) == [Text.Doctor.installAgain])
        let runs = "LoadState=loaded\nActiveState=active\nUnitFileState=disabled"
        #expect(states(on, on, runs).map(\.advice) == ["systemctl enable baton-kiosk"])
        #expect(UnitLook.findings(nil).map(\.state) == [.unchecked])
        #expect(SystemUnits("") == nil && SystemUnits("Id=batond.service\n\n\n") == nil)
    }

    @Test func `browser policies are looked for where the managed browser reads them`() throws {
        let folder = try TemporaryFolder("policies")
        let look = BrowserPolicyLook(folder: folder.path)
        #expect(look.findings(nil).isEmpty)
        var device = Fixtures.device
        device.browser = BrowserDescription(.firefox)
        #expect(look.findings(device).map(\.advice) == ["systemd-tmpfiles --create baton.conf"])
        _ = try folder.write("{}", to: "firefox/policies/policies.json")
        #expect(look.findings(device).map(\.state) == [.ok])
    }
}
