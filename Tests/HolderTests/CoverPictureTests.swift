import FolderTesting
import FoundationEssentials
import KioskTesting
import Testing

@testable import Display

/// Other tests of this process draw, too.
@Suite(.serialized) struct CoverPictureTests {
    private static let screen = (width: 1280, height: 800)

    /// How many pixels have which colour.
    private func colours(_ text: String, height: Int) -> [UInt32: Int] {
        var bytes = [UInt8](repeating: 0, count: Self.screen.width * height * 4)
        let isDrawn = bytes.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map {
                CoverPicture.draw(text, on: $0, width: Self.screen.width, height: height, forScreen: Self.screen)
            }
        }
        #expect(isDrawn == true)
        return stride(from: 0, to: bytes.count, by: 4).reduce(into: [:]) { counts, start in
            let parts = bytes[start..<start + 3].map(UInt32.init)
            counts[parts[2] << 16 | parts[1] << 8 | parts[0], default: 0] += 1
        }
    }

    @Test func `a cover has the site's logo above its lines, and what is no picture is left out`() async throws {
        defer { SiteLook.current = SiteLook() }
        let folder = try TemporaryFolder("logo")
        try await PlainPicture.write(red: 0xff, green: 0, blue: 0xfe, to: folder.path + "/logo.png")
        let bare = CoverPicture.height(of: "Signing out", onScreen: Self.screen.width, Self.screen.height)
        var look = SiteLook()
        let png = Array(try Data(contentsOf: URL(filePath: folder.path + "/logo.png")))
        look.logo = SiteLogo(png: png)
        SiteLook.current = look
        let height = CoverPicture.height(of: "Signing out", onScreen: Self.screen.width, Self.screen.height)
        #expect(height > bare && height < Self.screen.height)
        let found = colours("Signing out", height: height)
        #expect(found[0xff00fe, default: 0] > 5000)
        #expect(found[0xffffff, default: 0] > 100)
        for unfit in [[UInt8](), Array("no picture".utf8), Array(png.prefix(60))] {
            look.logo = SiteLogo(png: unfit)
            #expect(look.logo == nil)
            SiteLook.current = look
            let found = colours("Signing out", height: height)
            #expect(found[0xff00fe] == nil && found[0xffffff, default: 0] > 100)
        }
    }
}
