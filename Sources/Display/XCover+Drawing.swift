import CXCB
import Glibc

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

    /// - Parameter last: What these panels show already: only rows that differ are sent.
    func draw(_ panes: [Pane], over last: CoverFace) {
        guard let panel = style.panel, case .lines(let old) = last, case .lines(let new) = face else { return }
        let (width, height) = (Int(panel.width), Int(panel.height))
        guard let known = pixels(width, height, { panel.draw(old, $0) }),
            let pixels = pixels(width, height, { panel.draw(new, $0) }),
            let rows = Self.rows(of: pixels, unlike: known, width: width)
        else { return }
        let part = Array(pixels[rows.lowerBound * width * 4..<rows.upperBound * width * 4])
        for pane in panes where Self.hasPixels(pane.depth) {
            put(part, width, rows.count, at: (0, rows.lowerBound), on: pane)
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
        if let pixels = pixels(width, height, draw) { put(pixels, width, height, at: place, on: pane) }
    }

    private func pixels(_ width: Int, _ height: Int, _ draw: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8]? {
        guard width > 0, height > 0 else { return nil }
        var pixels = [UInt8](repeating: 0, count: width * 4 * height)
        let isDrawn = pixels.withUnsafeMutableBufferPointer { $0.baseAddress.map(draw) ?? false }
        return isDrawn ? pixels : nil
    }

    /// From the first row that differs to the last one; nil: none does.
    private static func rows(of new: [UInt8], unlike old: [UInt8], width: Int) -> Range<Int>? {
        let size = width * 4
        guard size > 0, new.count == old.count else { return nil }
        let starts = stride(from: 0, to: new.count - new.count % size, by: size)
        let unlike = starts.filter { start in
            let row = start..<start + size
            return new[row].withUnsafeBytes { one in
                old[row].withUnsafeBytes { other in
                    guard let one = one.baseAddress, let other = other.baseAddress else { return false }
                    return memcmp(one, other, size) != 0
                }
            }
        }
        guard let first = unlike.first, let last = unlike.last else { return nil }
        return first / size..<last / size + 1
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
