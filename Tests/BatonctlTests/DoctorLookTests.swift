import Baton
import DBus
import Testing

@testable import BatonctlProgram

/// What doctor makes of things that a test cannot do to the machine that it runs on.
@Suite struct DoctorLookTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test func `sleep that waits for no sign-out, or not long enough, is told`() {
        #expect(SleepLook.finding(isHeld: true, delay: .seconds(25)).state == .ok)
        let short = SleepLook.finding(isHeld: true, delay: .seconds(5))
        #expect(short.state == .warning && short.advice.contains("InhibitDelayMaxSec"))
        #expect(SleepLook.finding(isHeld: false, delay: .seconds(25)).state == .warning)
    }

    @Test(arguments: [
        (#"["sleep","Baton","","delay",998,77],["shutdown","Baton","","delay",998,77]"#, true),
        (#"["sleep:shutdown","Baton","The worker is signed out first","delay",998,77]"#, true),
        (#"["shutdown:sleep:idle","Baton","","delay",998,77]"#, true),
        (#"["sleep","Baton","","delay",998,77]"#, false),
        (#"["sleep:shutdown","Baton","","block",998,77]"#, false),
        (#"["sleep:shutdown","NetworkManager","","delay",0,7]"#, false),
        (#"["sleep:shutdown"]"#, false), ("7", false), ("", false),
    ])
    func `among what delays sleep Baton's own counts, if it is for shutdown, too`(inhibitor: String, isOurs: Bool) {
        let other = #"["sleep","ModemManager","","delay",0,9]"#
        let answer = #"{"type":"a(ssssuu)","data":[["# + [other, inhibitor].joined(separator: ",") + "]]}"
        #expect(SleepLook.isHeld(by: answer) == isOurs)
    }

    private func policy(
        _ text: String?, groups: @escaping (String) -> UInt32? = { _ in 7 },
        members: [String: [String]] = ["kiosk": ["kiosk", "ward"]]
    ) throws -> Finding {
        if let text { try place.write(text, to: PolicyLook.file) }
        let look = PolicyLook(
            folders: ["/nowhere", place.folder], users: ["baton", "kiosk"], userID: { _ in 7 }, groupID: groups,
            isMember: { members[$0]?.contains($1) == true })
        return try #require(look.findings().first { $0.check == "policy" })
    }

    @Test func `a bus without a policy is wrong, and with this version's all is well`() throws {
        #expect(try policy(nil).state == .wrong)
        let installed = PolicyLook.installed
        #expect(installed.contains(#"<allow own="org.baton.Device1"/>"#))
        #expect(try policy(installed).state == .ok)
        // Another kiosk user, as the file itself allows, and other comments.
        let renamed = installed.split(separator: "kiosk", omittingEmptySubsequences: false).joined(separator: "ward")
        #expect(try policy("<!-- of this ward -->\n" + renamed).state == .ok)
    }

    @Test func `a policy that lets another group through than the agent's is wrong, whatever it is called`() throws {
        let installed = PolicyLook.installed
        let renamed = installed.split(separator: "kiosk", omittingEmptySubsequences: false).joined(separator: "ward")
        let alone = try policy(renamed, members: ["kiosk": ["kiosk"]])
        #expect(alone.state == .wrong && alone.text.contains("ward"), "\(alone)")
        #expect(alone.advice.hasPrefix("usermod --append --groups ward kiosk;"))
        let missing = try policy(renamed, groups: { $0 == "ward" ? nil : 7 })
        #expect(missing.state == .wrong && missing.advice.hasPrefix("groupadd --system ward;"), "\(missing)")
        // That of the turns' users is no other name of the kiosk's.
        let shut = installed.replacing(#"group="baton-workers""#, with: #"group="ward""#)
        #expect(try policy(shut).state == .warning)
    }

    @Test(arguments: [
        (#"<deny send_destination="org.baton.Device1"/>"#, ""),
        (#"<policy user="baton">"#, #"<policy user="root">"#),
        (#"<policy group="baton-admins">"#, #"<policy group="sudo">"#),
        ("</busconfig>", #"<policy context="default"><allow own="org.baton.Device1"/></policy></busconfig>"#),
        (#"<deny own="org.baton.Device1"/>"#, #"<!-- <deny own="org.baton.Device1"/> -->"#),
        ("</busconfig>", ""),
    ])
    func `a policy that lets others do more or less is told`(_ part: String, _ other: String) throws {
        let text = PolicyLook.installed
        try #require(text.contains(part))
        let finding = try policy(text.replacing(part, with: other))
        #expect(finding.state == .warning, "\(finding)")
        #expect(finding.text.contains(place.folder) && finding.advice.contains("make install"))
    }

    @Test func `users that are missing are wrong, each by its name`() throws {
        func users(_ known: Set<String>) throws -> Finding {
            let look = PolicyLook(
                folders: [], userID: { known.contains($0) ? 7 : nil }, groupID: { known.contains($0) ? 7 : nil })
            return try #require(look.findings().first { $0.check == "users" })
        }
        #expect(try users(["baton", "kiosk", "baton-admins"]).state == .ok)
        let alone = try users(["baton", "kiosk"])
        #expect(alone.state == .wrong && alone.text.contains("baton-admins"), "\(alone)")
        let one = try users(["baton"])
        #expect(one.state == .wrong && one.text.contains("kiosk") && !one.text.contains("baton"), "\(one)")
        let none = try users([])
        #expect(none.state == .wrong && none.text.contains("baton") && none.text.contains("kiosk"), "\(none)")
    }

    // MARK: polkit

    @Test func `polkit that knows each action and answers batond is well, and less than that is wrong`() {
        func finding(_ ids: [String], owner: String?, service: String = "baton") -> Finding {
            PolkitLook(service: service).finding(
                ids.map { id in
                    PolkitAction(
                        id: id, annotations: owner.map { ["org.freedesktop.policykit.owner": $0] } ?? [:])
                })
        }
        let ids = AdministratorAction.allCases.map(\.rawValue)
        #expect(finding(["org.example.other"] + ids, owner: "unix-user:baton").state == .ok)
        #expect(finding(ids, owner: "unix-user:root unix-user:baton").state == .ok)
        let none = finding([], owner: "unix-user:baton")
        #expect(none.state == .wrong && none.text.contains("none of Baton's actions"), "\(none)")
        #expect(none.advice == Text.Doctor.installAgain)
        let some = finding(Array(ids.dropFirst()), owner: "unix-user:baton")
        #expect(some.state == .wrong && some.text.contains("no org.baton.reset,"), "\(some)")
        for (owner, service) in [(nil, "baton"), ("unix-user:batonx", "baton"), ("unix-user:baton", "ward")] {
            let shut = finding(ids, owner: owner, service: service)
            #expect(shut.state == .wrong && shut.text.contains("runs as \(service):"), "\(shut)")
        }
        #expect(finding(ids, owner: "unix-user:baton", service: "ward").advice.contains("unix-user:ward"))
        #expect(finding(ids, owner: nil, service: "root").state == .ok)
    }

    @Test func `without polkit it counts whom the settings name`() {
        #expect(PolkitLook.names(in: #"[root, "%ward", petra]"#) == ["%ward", "petra"])
        #expect(PolkitLook.names(in: "[root]").isEmpty && PolkitLook.names(in: "[]").isEmpty)
        let named = PolkitLook.absent(named: ["petra"])
        #expect(named.state == .ok && named.text.contains("petra"))
        #expect(PolkitLook.absent(named: []).state == .warning)
        #expect(PolkitLook.absent(named: nil).state == .unchecked)
    }

    @Test func `polkit that does not answer is wrong, and one that may not be asked is unchecked`() {
        let masked = PolkitLook.failing(
            .reply(name: "org.freedesktop.systemd1.UnitMasked", message: "Unit polkit.service is masked."))
        #expect(masked.state == .wrong && masked.advice.contains("unmask"), "\(masked)")
        let hung = PolkitLook.failing(.timedOut)
        #expect(hung.state == .wrong && hung.advice.contains("restart polkit"), "\(hung)")
        #expect(PolkitLook.failing(.reply(name: .accessDenied, message: "")).state == .unchecked)
    }

    @Test(arguments: [
        (#"{"type":"a(ssssssuuua{ss})","data":[[["a.b","","","","","",3,3,5,{"k":"v"}]]]}"#, "a.b v"),
        (#"{"type":"a(ssssssuuua{ss})","data":[[]]}"#, ""), (#"{"data":[[["a.b",7]]]}"#, nil), ("", nil),
    ])
    func `polkit's actions are read as busctl prints them`(answer: String, expected: String?) {
        let actions = PolkitAction.list(answer)
        #expect(actions.map { $0.map { "\($0.id) \($0.annotations["k"] ?? "")" }.joined() } == expected)
    }

    @Test func `a receipt from the future means that the clock was set back`() {
        var receipt = Fixtures.receipt
        #expect(ClockLook.finding(newest: receipt).state != .wrong)
        receipt.ended = .max
        let finding = ClockLook.finding(newest: receipt)
        #expect(finding.state == .wrong && finding.text.contains("turn 7"), "\(finding)")
    }

    // MARK: Settings

    @Test func `settings are judged by what batond says of them, and not by its words`() {
        let look = SettingsLook(bus: nil, isSystem: false, isRunning: false)
        func finding(_ code: Int32?, _ faults: [SettingsCheck.Remark], warnings: [SettingsCheck.Remark] = []) -> Finding
        {
            look.finding(.init(exitCode: code, result: SettingsCheck(faults: faults, warnings: warnings)))
        }
        #expect(finding(0, []).state == .ok)
        let warned = finding(0, [], warnings: [.init(text: "warning: Permission denied")])
        #expect(warned.state == .warning && warned.text == "warning: Permission denied")
        let said = finding(78, [.init(text: "a.yaml:1: mode: 'Permission denied' is not shared or default")])
        #expect(said.state == .wrong && said.advice == Text.Doctor.repairSettings)
        let denied = finding(78, [.init(text: "a.yaml: cannot be read", unreadableFile: "a.yaml")])
        #expect(denied.state == .warning && denied.advice == Text.Doctor.asRoot)
        #expect(finding(nil, []).state == .wrong)
        // batond starts with these, and without their rights.
        let unknown = look.finding(
            .init(exitCode: 0, result: SettingsCheck(faults: [], unknown: [.init(text: "there is no user 'x'")])))
        #expect(unknown.state == .wrong && unknown.advice == Text.Doctor.correctNames)
        let open = [SettingsCheck.Remark(text: "mode 666", repair: "chmod 0640 a.yaml")]
        #expect(finding(78, open).advice == "chmod 0640 a.yaml; systemctl restart batond")
        let running = SettingsLook(bus: nil, isSystem: false, isRunning: true)
        #expect(
            running.finding(.init(exitCode: 78, result: SettingsCheck(faults: open))).advice
                == "chmod 0640 a.yaml; batonctl reload")
    }

    @Test func `a provider that was not asked is unchecked, and each fault has its own advice`() {
        #expect(ProviderLook.findings(nil, isOpenID: false).isEmpty)
        #expect(ProviderLook.findings(nil, isOpenID: true).map(\.state) == [.unchecked])
        func advice(_ reason: SettingsCheck.ProviderFinding.Reason) -> String? {
            let found = SettingsCheck.ProviderFinding(
                state: .wrong, reason: reason, text: "x", redirectURI: "http://a/b")
            let finding = ProviderLook.findings(found, isOpenID: true).first
            return finding?.state == .wrong ? finding?.advice : nil
        }
        let all = [advice(.client), advice(.untrusted), advice(.unreachable), advice(.settings)]
        #expect(Set(all).count == 4 && !all.contains(nil))
        #expect(advice(.client)?.contains("http://a/b") == true)
    }

    @Test func `a batond that answers in another way is shown as it answered`() {
        let look = SettingsLook(bus: nil, isSystem: false, isRunning: false)
        let finding = look.finding(.init(exitCode: 64, result: nil, lines: ["Error: Unknown option '--json'"]))
        #expect(finding.state == .wrong && finding.text == "Error: Unknown option '--json'")
    }
}
