import BatonContract
import Display
import FoundationEssentials
import Presentation

extension SiteLook {
    /// What is drawn without a browser is dark, as the page is at night. Of logos it shows PNG.
    init(_ settings: AgentConfiguration.StartPage) async {
        self.init()
        let accent = StartPageLook(accent: settings.accent).nightAccent
        (red, green, blue) = (accent.red, accent.green, accent.blue)
        guard !settings.logo.isEmpty, let picture = await AppIcon.load(settings.logo), picture.type == "image/png",
            let bytes = Data(base64Encoded: picture.base64)
        else { return }
        logo = Array(bytes)
    }
}
