// The commands that are used, with the parameters that are used. Their names are the protocol's.

extension BiDi {
    enum Session {
        struct New: BiDiCommand {
            static let method = "session.new"

            struct Capabilities: Encodable { var alwaysMatch = Wanted() }
            /// Dialogs belong to the worker, except when we navigate away from their page.
            struct Wanted: Encodable { var unhandledPromptBehavior = ["default": "ignore", "beforeUnload": "accept"] }
            struct Answer: Decodable {
                var capabilities: Given
                struct Given: Decodable {
                    var browserName: String
                    var browserVersion: String
                }
            }
            var capabilities = Capabilities()
        }

        struct Status: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "session.status"
        }

        struct Subscribe: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "session.subscribe"
            var events: [String]
            /// Everywhere when nil.
            var contexts: [String]?
        }
    }
}

extension BiDi {
    enum BrowsingContext {
        struct GetTree: BiDiCommand {
            static let method = "browsingContext.getTree"
            struct Answer: Decodable { var contexts: [Context] }
            struct Context: Decodable {
                var context: String
                var url: String
            }
            var maxDepth = 0
        }

        struct Create: BiDiCommand {
            static let method = "browsingContext.create"
            struct Answer: Decodable { var context: String }
            /// `tab` or `window`.
            var type: String
            var background = false
        }

        struct Navigate: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "browsingContext.navigate"
            var context: String
            var url: String
            var wait = "none"
        }

        struct Activate: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "browsingContext.activate"
            var context: String
        }

        struct Close: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "browsingContext.close"
            var context: String
            var promptUnload = false
        }
    }
}

extension BiDi {
    enum Emulation {
        struct SetLocaleOverride: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "emulation.setLocaleOverride"
            var locale: String
            /// All windows and tabs are of this one.
            var userContexts = ["default"]
        }
    }
}

extension BiDi {
    enum Storage {
        struct GetCookies: BiDiCommand {
            static let method = "storage.getCookies"
            struct Answer: Decodable { var cookies: [Cookie] }
        }

        struct Cookie: BrowserCookie, Decodable, Sendable {
            var name: String
            var domain: String
            var path: String
            var httpOnly: Bool
            var secure: Bool
        }
    }
}
