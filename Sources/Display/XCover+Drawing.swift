import CXCB

// What is to be read on its windows.
extension XCover {
    /// Of the depths that screens have today.
    private static func hasPixels(_ depth: UInt8) -> Bool { depth == 24 || depth == 32 }

    func draw(_ pane: Pane) {
        guard Self.hasPixels(pane.depth) else { return }
        if let panel = style.panel {
            guard case .lines(let text) = face else { return }
            return paint(Int(panel.width), Int(panel.height), at: (0, 0), on: pane) { panel.draw(text, $0) }
        }
        for monitor in pane.monitors {
            switch face {
            case .lines(let text): draw(text, monitor, on: pane)
            case .lock(let lock): draw(lock, monitor, on: pane)
            }
        }
    }

    private func draw(_ lock: LockFace, _ monitor: XMonitor, on pane: Pane) {
        let layout = LockLayout(screen: (monitor.width, monitor.height))
        let place = (x: monitor.x + layout.left, y: monitor.y + layout.top)
        paint(layout.width, layout.height, at: place, on: pane) {
            LockPicture.draw(
                lock, on: $0, width: layout.width, height: layout.height, layout, origin: (layout.left, layout.top))
        }
    }

    private func draw(_ text: String, _ monitor: XMonitor, on pane: Pane) {
        let screen = (width: monitor.width, height: monitor.height)
        let height = CoverPicture.height(of: text, onScreen: screen.width, screen.height)
        paint(screen.width, height, at: (monitor.x, monitor.y + (screen.height - height) / 2), on: pane) {
            CoverPicture.draw(text, on: $0, width: screen.width, height: height, forScreen: screen)
        }
    }

    /// - Parameter draw: Draws on pixels of 32 bits, blue first, in rows without gaps; false: it could not.
    private func paint(
        _ width: Int, _ height: Int, at place: (x: Int, y: Int), on pane: Pane,
        _ draw: (UnsafeMutablePointer<UInt8>) -> Bool
    ) {
        guard width > 0, height > 0 else { return }
        var pixels = [UInt8](repeating: 0, count: width * 4 * height)
        let isDrawn = pixels.withUnsafeMutableBufferPointer { $0.baseAddress.map(draw) ?? false }
        if isDrawn { put(pixels, width, height, at: place, on: pane) }
    }

    /// In parts that are as large as the server takes them.
    private func put(_ pixels: [UInt8], _ width: Int, _ height: Int, at place: (x: Int, y: Int), on pane: Pane) {
        let row = width * 4
        let most = (Int(xcb_get_maximum_request_length(connection.raw)) * 4 - 64) / row
        guard most > 0 else { return }
        for first in stride(from: 0, to: height, by: most) {
            let rows = min(most, height - first)
            let part = Array(pixels[first * row..<(first + rows) * row])
            xcb_put_image(
                connection.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), pane.window, pane.pen,
                UInt16(clamping: width), UInt16(clamping: rows), Int16(clamping: place.x),
                Int16(clamping: place.y + first),
                0, pane.depth,
                UInt32(clamping: part.count), part)
        }
    }
}
