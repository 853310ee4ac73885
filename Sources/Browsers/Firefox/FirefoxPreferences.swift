/// What a fresh profile is told in its `user.js`.
enum FirefoxPreferences {
    /// Firefox would otherwise set a hundred preferences made for tests, as soon as it is remote-controlled: pop-ups not
    /// blocked, clicks on permission dialogs not delayed, `file:` pages of one origin, scripts that may run for ever.
    private static let remote: KeyValuePairs<String, String> = [
        "remote.prefs.recommended": "false",
        "remote.active-protocols": "1",
        // Bodies of requests, which may hold passwords, are kept only until they are looked at.
        "remote.network.maxTotalDataSize": "1048576",
    ]

    private static let nothingFirst: KeyValuePairs<String, String> = [
        "browser.aboutwelcome.enabled": "false",
        "browser.shell.checkDefaultBrowser": "false",
        "browser.startup.homepage_override.mstone": "\"ignore\"",
        // Of windows that the agent opens later.
        "browser.startup.homepage": "\"\(FirefoxProgram.blank)\"",
        "browser.startup.page": "1",
        // Another Firefox takes seconds.
        "browser.quitShortcut.disabled": "true",
        "browser.newtabpage.enabled": "false",
        "browser.tabs.warnOnClose": "false",
        "browser.tabs.warnOnCloseOtherTabs": "false",
        "browser.warnOnQuit": "false",
        "browser.translations.enable": "false",
        "datareporting.policy.dataSubmissionPolicyBypassNotification": "true",
        "termsofuse.bypassNotification": "true",
        "startup.homepage_welcome_url": "\"about:blank\"",
        "trailhead.firstrun.didSeeAboutWelcome": "true",
    ]

    /// A kiosk window shows no toolbar, but keys still reach it: what is typed there is looked up at a search engine, and
    /// leads anywhere.
    private static let nothingTyped: KeyValuePairs<String, String> = [
        "browser.search.suggest.enabled": "false",
        "toolkit.legacyUserProfileCustomizations.stylesheets": "true",
        // The menu bar is not to be seen either, and Alt would give it the keys.
        "ui.key.menuAccessKey": "0",
        "ui.key.menuAccessKeyFocuses": "false",
    ]

    /// A `userChrome.css`. What is not visible gets no key; it keeps its place, at which Firefox shows its questions.
    static let style = "#navigator-toolbox, #navigator-toolbox * { visibility: hidden !important; }\n"

    /// A `customKeys.json`, as `about:keyboard` writes it: without the keys that no page can take, for new windows and tabs,
    /// in which no address could be typed, and to close what the agent has opened. Older versions do not read it.
    static let keys =
        "{"
        + ["close", "closeWindow", "newNavigator", "newNavigatorTab", "privatebrowsing"]
        .map { "\"key_\($0)\":{}" }.joined(separator: ",") + "}\n"

    private static let nothingKept: KeyValuePairs<String, String> = [
        "browser.backup.enabled": "false",
        "browser.formfill.enable": "false",
        "browser.pagethumbnails.capturing_disabled": "true",
        "browser.sessionstore.max_tabs_undo": "0",
        "browser.sessionstore.resume_from_crash": "false",
        "extensions.formautofill.addresses.enabled": "false",
        "extensions.formautofill.creditCards.enabled": "false",
        "signon.autofillForms": "false",
        "signon.rememberSignons": "false",
        "toolkit.startup.max_resumed_crashes": "-1",
    ]

    /// Each browser lives for one turn: what would be fetched for the next days is fetched for nothing.
    private static let nothingFetched: KeyValuePairs<String, String> = [
        "app.normandy.enabled": "false",
        "app.update.enabled": "false",
        "browser.ml.enable": "false",
        "browser.region.network.url": "\"\"",
        "browser.safebrowsing.blockedURIs.enabled": "false",
        "browser.safebrowsing.downloads.enabled": "false",
        "browser.safebrowsing.malware.enabled": "false",
        "browser.safebrowsing.phishing.enabled": "false",
        "browser.search.update": "false",
        "browser.topsites.contile.enabled": "false",
        "datareporting.healthreport.uploadEnabled": "false",
        "datareporting.policy.dataSubmissionEnabled": "false",
        "datareporting.usage.uploadEnabled": "false",
        "dom.push.connection.enabled": "false",
        "extensions.getAddons.cache.enabled": "false",
        "extensions.systemAddon.update.enabled": "false",
        "extensions.update.enabled": "false",
        "messaging-system.rsexperimentloader.enabled": "false",
        "network.captive-portal-service.enabled": "false",
        "network.connectivity-service.enabled": "false",
        // Its own idea of being online would come from the sandbox's odd network.
        "network.manage-offline-status": "false",
        "services.settings.server": "\"data:,#\"",
        "toolkit.telemetry.enabled": "false",
        "toolkit.telemetry.unified": "false",
    ]

    /// A `user.js`.
    static var text: String {
        [remote, nothingFirst, nothingTyped, nothingKept, nothingFetched].joined()
            .map { "user_pref(\"\($0.key)\", \($0.value));\n" }.joined()
    }
}
