import Browsers
import BusTesting
import FolderTesting
import FoundationEssentials
import Glibc
import KioskTesting
import Presentation
import Testing
import Vocabulary

@testable import Agent

/// The start page in a real Chromium, looked at. With `BATON_PICTURES` in the environment its pictures lie in `.build/screenshots`.
@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(4))) struct StartPageViewTests {
    /// An ordinary terminal by day and by night, one that is enlarged to 200 %, and a large one. The smallest is that of the languages.
    private static let screens: [(size: (Int, Int), isDark: Bool)] = [
        ((1280, 800), false), ((1280, 800), true), ((640, 400), false), ((3840, 2160), true),
    ]
    private static let build = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build")
    private static let axe = build.appending(path: "axe-core/axe.min.js")

    private struct Scene {
        let view: ChromiumView
        let site: LoopbackSite

        func show(_ moment: StartPageMoment, in language: Language = .english, look: StartPageLook = .init())
            async throws
        {
            var state = moment.state
            state.language = language.rawValue
            let look = state.developer == nil ? look : StartPageLook(accent: look.accent.text, isForDevelopers: true)
            // Without its headers: what looks at it is a script, too.
            let page = StartPage.document(token: "0", state: StateAnswer(version: 1, state: state), look: look)
            site.set("/", .init(body: page.body))
            try await view.open(site.origin + "/")
        }

        /// What a person could not read, reach or hit with a finger; empty: all is well.
        func faults() async throws -> [String] {
            try await view.value(of: StartPageMoment.faults, as: [String].self)
        }

        func keepPicture(_ name: String) async throws {
            guard getenv("BATON_PICTURES") != nil else { return }
            let folder = StartPageViewTests.build.appending(path: "screenshots")
            let file = folder.appending(path: "\(name).png")
            // Another user's, of an earlier run.
            unlink(file.path)
            try Data(try await view.picture()).write(to: file)
        }
    }

    private func look(_ body: (Scene) async throws -> Void) async throws {
        let display = try VirtualDisplay()
        let home = try TemporaryFolder("view")
        let chromium = try PipedChromium(home: home.path, display: display.display, arguments: ["--headless=new"])
        let scene = Scene(
            view: try await ChromiumView(chromium),
            site: try await LoopbackSite(["/icon": .init(body: StartPageMoment.icon)]))
        try await body(scene)
        try await chromium.close()
    }

    @Test func `at each moment, in each language, all can be read and reached`() async throws {
        try await look { scene in
            try await scene.view.resize((800, 480))
            for moment in StartPageMoment.all {
                for language in Language.allCases {
                    try await scene.show(moment, in: language)
                    #expect(try await scene.faults() == [], "\(moment.name), \(language)")
                    try await scene.keepPicture("\(moment.name), \(language)")
                    let shown = try await scene.view.value(of: "document.body.innerText", as: String.self)
                    #expect(!shown.contains("{") && !shown.contains("undefined"), "\(shown)")
                }
            }
        }
    }

    @Test func `on each screen, by day and by night, all can be read and reached`() async throws {
        try await look { scene in
            for screen in Self.screens {
                let (width, height) = screen.size
                try await scene.view.resize((width, height), isDark: screen.isDark)
                for moment in StartPageMoment.all {
                    try await scene.show(moment, in: .hungarian)
                    #expect(try await scene.faults() == [], "\(moment.name), \(width)")
                    try await scene.keepPicture("\(moment.name), \(width) \(screen.isDark ? "night" : "day")")
                }
            }
        }
    }

    @Test(.enabled(if: access(axe.path, R_OK) == 0, "needs axe-core, which make test fetches"))
    func `no rule of WCAG 2.2 AA finds a fault`() async throws {
        let rules = try String(contentsOf: Self.axe, encoding: .utf8)
        try await look { scene in
            for isDark in [false, true] {
                try await scene.view.resize((1280, 800), isDark: isDark)
                for moment in StartPageMoment.all {
                    try await scene.show(moment, look: StartPageLook(accent: "#767676"))
                    _ = try await scene.view.value(of: rules + "\n;true", as: Bool.self)
                    let tags = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']"
                    let faults = try await scene.view.value(
                        of: """
                            axe.run({ runOnly: \(tags) }).then(found => found.violations.map(fault =>
                              fault.id + ': ' + fault.nodes.map(node => node.target.join(' ')).join(', ')))
                            """, as: [String].self)
                    #expect(faults == [], "\(moment.name), \(isDark ? "night" : "day")")
                }
            }
        }
    }

    @Test func `a screen reader is told each control by its name, and what the page is about`() async throws {
        let controls = ["button", "textbox", "searchbox", "link", "DisclosureTriangle"]
        try await look { scene in
            try await scene.view.resize((1280, 800))
            for moment in StartPageMoment.all {
                try await scene.show(moment, in: .polish)
                let tree = try await scene.view.accessibilityTree()
                let told = tree.filter { controls.contains($0.role) }
                #expect(told.allSatisfy { !$0.name.isEmpty }, "\(moment.name): \(told)")
                let visible = try await scene.view.value(
                    of:
                        "[...document.querySelectorAll('button, input, a, summary')].filter(one => one.checkVisibility()).length",
                    as: Int.self)
                #expect(told.count == visible, "\(moment.name): \(told)")
                let title = try await scene.view.value(
                    of: "document.getElementById('title').textContent", as: String.self)
                #expect(tree.contains { $0.role == "heading" && $0.name == title }, "\(moment.name)")
                #expect(tree.contains { $0.role == "main" }, "\(moment.name)")
            }
        }
    }

    @Test func `a language that is written from right to left turns the page around`() async throws {
        try await look { scene in
            try await scene.view.resize((800, 480))
            for moment in StartPageMoment.all {
                try await scene.show(moment)
                // Each letter as one of Arabic's, so that no text is left that is not in the table.
                let direction = try await scene.view.value(
                    of: """
                        tables.ar = Object.fromEntries(Object.entries(tables.en).map(([key, text]) =>
                          [key, text.replace(/[a-z](?![^{]*})/gi, letter => String.fromCharCode(0x627 + letter.charCodeAt(0) % 30))]));
                        show({ ...state, language: 'ar' });
                        getComputedStyle(document.body).direction
                        """, as: String.self)
                #expect(direction == "rtl")
                #expect(try await scene.faults() == [], "\(moment.name)")
                try await scene.keepPicture("\(moment.name), right to left")
            }
        }
    }

    @Test func `the field that is typed into is not below the keys`() async throws {
        try await look { scene in
            try await scene.view.resize((800, 480))
            try await scene.show(try StartPageMoment.named("free, workers of before and keys"))
            for field in ["username", "pin"] {
                let isSeen = """
                    document.getElementById('\(field)').focus();
                    document.activeElement.getBoundingClientRect().bottom <= document.getElementById('keys').getBoundingClientRect().top
                    """
                #expect(try await scene.view.value(of: isSeen, as: Bool.self), "\(field)")
            }
        }
    }

    @Test func `on a free terminal a language can be chosen, and no worker gets the one of another`() async throws {
        try await look { scene in
            let title = "document.getElementById('title').textContent"
            try await scene.show(try StartPageMoment.named("free"))
            let chosen =
                "[...document.querySelectorAll('nav button')].find(one => one.lang === 'de').click(); \(title)"
            #expect(try await scene.view.value(of: chosen, as: String.self) == "Dieses Terminal ist frei.")
            let used = "show({ ...state, phase: 'in-use', language: 'pl' }); document.documentElement.lang"
            #expect(try await scene.view.value(of: used, as: String.self) == "pl")
            let freed = "show({ ...state, phase: 'ready', language: 'en' }); \(title)"
            #expect(try await scene.view.value(of: freed, as: String.self) == "This terminal is free.")
        }
    }

    @Test func `a developer's buttons are calls of their names, and what came of them is text`() async throws {
        try await look { scene in
            try await scene.show(try StartPageMoment.named("in use, for developers"))
            let made = """
                const made = [];
                wish = async body => { made.push([body.wish, body.member].filter(one => one).join(' ')); return ''; };
                for (const button of document.querySelectorAll('#members button')) button.click();
                made
                """
            // Nobody can sign in while a worker holds the device.
            let calls = ["ask GetDeviceMode", "ask GetDeviceInformation", "ask GetCurrentAccount", "sign-out"]
            #expect(try await scene.view.value(of: made, as: [String].self) == calls)
            let read = "[...document.querySelectorAll('#log li')].map(item => item.textContent.slice(13))"
            let lines = try await scene.view.value(of: read, as: [String].self)
            #expect(lines.first == "→ SignIn 12 ms AccountMismatch: \(WorkerTexts.of(.english).heldByAnother)")
            #expect(lines.last == "← SignedIn epoch 7")
            #expect(
                try await scene.view.value(of: "document.querySelectorAll('#account script').length", as: Int.self) == 0
            )
            let cleared = """
                show({ ...state, phase: 'ready', developer: { lines: [], account: [] } });
                document.getElementById('developer').innerText
                """
            let left = try await scene.view.value(of: cleared, as: String.self)
            #expect(!left.contains("Wolfe") && left.contains(WorkerTexts.of(.english).noWorker), "\(left)")
        }
    }

    @Test func `the page counts a countdown down by itself`() async throws {
        try await look { scene in
            try await scene.show(try StartPageMoment.named("countdown"))
            let counted = """
                show({ ...state, countdownEnds: Date.now() + 1900 });
                const title = document.getElementById('countdown-title'), seen = [title.textContent];
                new Promise(done => new MutationObserver(() => {
                  seen.push(title.textContent);
                  if (seen.length === 3) done(seen);
                }).observe(title, { childList: true }))
                """
            let texts = [2, 1, 0].map { "Ana Horvat: sign-out in \($0) s" }
            #expect(try await scene.view.value(of: counted, as: [String].self) == texts)
            let hidden = "show({ ...state, countdownEnds: null }); document.getElementById('countdown').hidden"
            #expect(try await scene.view.value(of: hidden, as: Bool.self))
        }
    }

    @Test func `many apps are searched, and what they are called is text`() async throws {
        try await look { scene in
            try await scene.show(try StartPageMoment.named("in use, hostile names"))
            let found = """
                const field = document.getElementById('search');
                field.value = 'app 20'; field.dispatchEvent(new Event('input'));
                [...document.querySelectorAll('#apps li')].filter(item => !item.hidden).map(item => item.textContent)
                """
            #expect(try await scene.view.value(of: found, as: [String].self) == ["App 20"])
            let markup = "document.querySelectorAll('main b, main script').length"
            #expect(try await scene.view.value(of: markup, as: Int.self) == 0)
            let turned = #"/[\u202a-\u202e]/.test(document.querySelector('main').textContent)"#
            #expect(try await !scene.view.value(of: turned, as: Bool.self))
        }
    }

    @Test func `the page is small, has the terminal's colour and picture, and loads nothing`() async throws {
        try await look { scene in
            let look = StartPageLook(
                accent: "#9b1c1c",
                logo:
                    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxMCIgaGVpZ2h0PSIxMCIvPg=="
            )
            var moment = try StartPageMoment.named("free")
            moment.state.site = "Ward 3"
            try await scene.show(moment, look: look)
            let seen = """
                [getComputedStyle(document.querySelector('#local .large')).backgroundColor,
                 document.getElementById('logo').complete && document.getElementById('logo').naturalWidth,
                 document.getElementById('site').textContent].join(' ')
                """
            #expect(try await scene.view.value(of: seen, as: String.self) == "rgb(155, 28, 28) 10 Ward 3")
            #expect(Set(scene.site.requested).isSubset(of: ["GET /", "GET /state", "POST /painted"]))
            for look in [StartPageLook(), StartPageLook(isForDevelopers: true)] {
                let page = StartPage.document(
                    token: "0", state: StateAnswer(version: 1, state: moment.state), look: look)
                #expect(page.body.utf8.count < 60 << 10)
                #expect(page.body.contains("showDeveloper(developer)") == look.isForDevelopers)
            }
        }
    }
}
