import BatonContract
import Display
import FolderTesting
import FoundationEssentials
import Processes
import Testing

@testable import Agent

/// The site's logo, for what is drawn without a browser.
@Suite(.timeLimit(.minutes(1))) struct SiteLookReaderTests {
    private let folder: TemporaryFolder
    private let reader: SiteLookReader

    init() throws {
        folder = try TemporaryFolder("look")
        reader = SiteLookReader(folder: folder.path, launcher: Launcher())
    }

    private func read(_ name: String, _ bytes: Data) async throws -> (hasLogo: Bool, warning: String?) {
        let path = folder.path + "/" + name
        try bytes.write(to: URL(filePath: path))
        var settings = AgentConfiguration.StartPage()
        settings.logo = path
        let (look, warning) = await reader.read(settings)
        try FileManager.default.removeItem(atPath: path)
        return (look.logo != nil, warning)
    }

    private static let drawing =
        ##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#f0f"/></svg>"##
    private static let photograph = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/
        2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAEAAgDASIAAhEBAxEB/8QA
        HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK
        FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG
        x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
        hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDgqKKK/uA/
        0dP/2Q==
        """

    @Test func `a drawing and a photograph are shown as well, and nothing stays of how they are read`() async throws {
        let photograph = try #require(Data(base64Encoded: Self.photograph, options: .ignoreUnknownCharacters))
        for (name, bytes) in [("logo.svg", Data(Self.drawing.utf8)), ("LOGO.JPG", photograph)] {
            let (hasLogo, warning) = try await read(name, bytes)
            #expect(hasLogo && warning == nil, "\(name): \(warning ?? "no logo, and no word of it")")
        }
        #expect(names(in: folder.path).isEmpty)
    }

    @Test(arguments: ["logo.svg", "logo.png", "logo.jpg", "logo.gif"])
    func `what cannot be shown is told of with its path`(name: String) async throws {
        let (hasLogo, warning) = try await read(name, Data(Self.drawing.utf8.prefix(60)))
        #expect(!hasLogo && warning?.contains(folder.path + "/" + name) == true)
        #expect(names(in: folder.path).isEmpty)
    }

    @Test func `without a logo there is nothing to tell`() async {
        let (look, warning) = await reader.read(AgentConfiguration.StartPage())
        #expect(look.logo == nil && warning == nil)
    }
}
