import BatonContract
import Display
import Presentation

extension SiteLook {
    /// What is drawn without a browser is dark, as the page is at night. Of logos it shows PNG.
    init(_ settings: AgentConfiguration.StartPage) async {
        self.init()
        let accent = StartPageLook(accent: settings.accent).nightAccent
        (red, green, blue) = (accent.red, accent.green, accent.blue)
        guard let picture = await AppIcon.read(settings.logo), picture.type == "image/png" else { return }
        logo = SiteLogo(png: picture.bytes)
    }
}
