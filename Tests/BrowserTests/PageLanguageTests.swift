import BusTesting
import Sandbox
import Testing

@testable import Browsers

struct PageLanguageTests {
    @Test(arguments: [
        ("de", "de", "de"), ("de_AT.UTF-8", "de-AT", "de-AT,de"), ("HU-hu", "hu-HU", "hu-HU,hu"),
        ("sr_latn_rs@x", "sr-Latn-RS", "sr-Latn-RS,sr"), ("es-419", "es-419", "es-419,es"),
        ("de-1996-x", "de", "de"),
    ]) func `a locale is a language for pages`(locale: String, tag: String, accepted: String) throws {
        let language = try #require(PageLanguage(locale: locale))
        #expect(language.tag == tag && language.accepted == accepted)
    }

    @Test(arguments: ["", "C", "POSIX", "C.UTF-8", "d\u{e9}", "12", "d e", "\"x"])
    func `a text without a language is refused`(locale: String) {
        #expect(PageLanguage(locale: locale) == nil)
    }

    /// What a page finds out, also in a frame of another site, and in a window that it opens.
    static func site(isOpening: Bool = true) async throws -> LoopbackSite {
        let say = """
            <script>
            fetch("/said/" + [navigator.languages.join("+"), (1234.5).toLocaleString().slice(-2), location.pathname.slice(1)])
            </script>
            """
        let site = try await LoopbackSite(["/window": .init(body: say), "/frame": .init(body: say)])
        let open = isOpening ? "<script>open('/window')</script>" : ""
        site.set(
            "/", .init(body: "\(say)<iframe src='http://127.0.0.1:\(site.port)/frame'></iframe>\(open)"))
        return site
    }
}

extension ChromiumPageTests {
    @Test
    func
        `pages, their frames and their windows are told the worker's language, from the first request on`()
        async throws
    {
        let site = try await PageLanguageTests.site()
        try await ChromiumScene.run(
            RecordingPages { _ in nil },
            setup: ChromiumScene.setup(arguments: ["--disable-popup-blocking"])
        ) { browser in
            try await browser.open(site.origin + "/")
            try await eventually { site.asked("/said/").count == 3 }
            try await browser.setLanguage(try #require(PageLanguage(locale: "de_AT")))
            try await browser.open(site.origin + "/")
            try await eventually { site.asked("/said/").count == 6 }
            #expect(
                Set(site.asked("/said/").suffix(3).map(\.query)) == [
                    "de-AT+de,,5,", "de-AT+de,,5,frame", "de-AT+de,,5,window",
                ])
            for path in ["/", "/frame", "/window"] {
                let asked = site.asked(path).last { $0.query.isEmpty }
                #expect(asked?.languages.hasPrefix("de-AT,de") == true, "\(path): \(site.asked(path))")
            }
            #expect(site.asked("/said/").suffix(3).allSatisfy { $0.languages.hasPrefix("de-AT,de") })
        }
    }
}

extension FirefoxTests {
    @Suite struct LanguageTests {
        @Test func `pages are told the worker's language, from the first request on`() async throws {
            let site = try await PageLanguageTests.site(isOpening: false)
            try await FirefoxScene.run(RecordingPages { _ in nil }) { browser in
                try await browser.setLanguage(try #require(PageLanguage(locale: "de_AT")))
                try await browser.open(site.outside + "/")
                try await eventually { !site.asked("/said/").isEmpty }
                #expect(site.asked("/said/").first?.query == "de-AT,,5,")
                #expect(
                    site.requested.first == "GET /"
                        && site.asked("/").first?.languages.hasPrefix("de-AT") == true)
            }
        }
    }
}
