import BusTesting
import FoundationEssentials

/// A page of a Chromium that a test looks at, without a window.
public struct ChromiumView: Sendable {
    private let chromium: PipedChromium
    private let session: String

    public init(_ chromium: PipedChromium) async throws {
        self.chromium = chromium
        let target = try await chromium.answer(
            PipedChromium.Created.self, "Target.createTarget", #"{"url":"about:blank"}"#
        ).targetId
        session = try await chromium.attach(to: target)
        try await chromium.call("Page.enable", session: session)
    }

    private struct Navigation: Encodable { var url: String }
    private struct Script: Encodable {
        var expression: String
        var awaitPromise = true
        var returnByValue = true
    }
    private struct Evaluated<Value: Decodable>: Decodable {
        struct Result: Decodable { var value: Value? }
        struct Failure: Decodable { var text: String }
        var result: Result
        var exceptionDetails: Failure?
    }
    private struct Picture: Decodable { var data: String }
    private struct Tree: Decodable {
        struct Node: Decodable {
            struct Text: Decodable { var value: String? }
            var ignored: Bool
            var role: Text?
            var name: Text?
        }
        var nodes: [Node]
    }

    /// - Parameters:
    ///   - size: In the pixels of CSS.
    ///   - scale: Pixels of the screen for one of CSS.
    public func resize(_ size: (width: Int, height: Int), scale: Double = 1, isDark: Bool = false) async throws {
        try await chromium.call(
            "Emulation.setDeviceMetricsOverride",
            #"{"width":\#(size.width),"height":\#(size.height),"deviceScaleFactor":\#(scale),"mobile":false}"#,
            session: session)
        let scheme = isDark ? "dark" : "light"
        try await chromium.call(
            "Emulation.setEmulatedMedia",
            #"{"features":[{"name":"prefers-color-scheme","value":"\#(scheme)"}]}"#, session: session)
    }

    /// Opens a page, and returns when its first two frames are drawn.
    public func open(_ url: String) async throws {
        let parameters = String(decoding: try JSONEncoder().encode(Navigation(url: url)), as: UTF8.self)
        try await chromium.call("Page.navigate", parameters, session: session)
        let isThere = """
            new Promise(done => {
              const frames = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
              document.readyState === 'complete' ? frames() : addEventListener('load', frames);
            })
            """
        _ = try await value(of: isThere, as: Bool.self)
    }

    /// What an expression, or the promise that it is, comes to.
    public func value<Value: Decodable>(of expression: String, as type: Value.Type) async throws -> Value {
        let parameters = String(decoding: try JSONEncoder().encode(Script(expression: expression)), as: UTF8.self)
        let answer = try await chromium.answer(
            Evaluated<Value>.self, "Runtime.evaluate", parameters, session: session)
        if let failure = answer.exceptionDetails { throw TestingError("\(expression.prefix(200)): \(failure.text)") }
        guard let value = answer.result.value else { throw TestingError("\(expression.prefix(200)): no value") }
        return value
    }

    /// A PNG of what there is to see.
    public func picture() async throws -> [UInt8] {
        let picture = try await chromium.answer(Picture.self, "Page.captureScreenshot", session: session)
        guard let bytes = Data(base64Encoded: picture.data) else { throw TestingError("no picture") }
        return Array(bytes)
    }

    /// What Chromium tells a screen reader, in its order: roles with their names.
    public func accessibilityTree() async throws -> [(role: String, name: String)] {
        let tree = try await chromium.answer(Tree.self, "Accessibility.getFullAXTree", session: session)
        return tree.nodes.filter { !$0.ignored }.map { ($0.role?.value ?? "", $0.name?.value ?? "") }
    }
}
