import HTTPTypes
import HummingbirdCore
import NIOCore

/// The pages of the loopback listener: they say that something arrived, and nothing about the worker.
enum LoopbackPage {
    static let arrived = page(
        .ok, "Your answer has arrived",
        "The terminal says how the sign-in ends. You can close this page.")
    static let signedOut = page(.ok, "Signed out", "Your session has ended. You can close this page.")
    static let unknown = page(
        .gone, "No sign-in is waiting for this answer",
        "The sign-in that it belongs to is over, or the answer came a second time. Start the sign-in again.")
    static let strange = page(.badRequest, "Not understood", "There is nothing here for this address.")
    static let noticed = plain(.ok)
    static let badNotice = plain(.badRequest)
    static let nowhere = plain(.notFound)

    static func redirect(to path: String) -> Response {
        var response = plain(.seeOther)
        response.headers[.location] = path
        return response
    }

    private static func plain(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.cacheControl: "no-store"])
    }

    private static func page(_ status: HTTPResponse.Status, _ title: String, _ text: String) -> Response {
        let html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>body{font:1.2rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;\
            color:#1a1a1a;background:#fff}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}\
            </style></head><body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
            """
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
                .xContentTypeOptions: "nosniff",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}
