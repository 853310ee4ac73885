// The commands of the network module.

extension BiDi {
    enum Network {
        /// Which requests wait for us.
        struct Pattern: Encodable, Sendable, Equatable {
            var type = "pattern"
            var `protocol`: String
            var hostname: String
            var port: String?
            /// Any when nil; the query is never looked at.
            var pathname: String?
        }

        struct AddIntercept: BiDiCommand {
            static let method = "network.addIntercept"
            struct Answer: Decodable { var intercept: String }
            var phases = ["beforeRequestSent"]
            /// Every request when nil.
            var urlPatterns: [Pattern]?
        }

        struct RemoveIntercept: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "network.removeIntercept"
            var intercept: String
        }

        struct AddDataCollector: BiDiCommand {
            static let method = "network.addDataCollector"
            struct Answer: Decodable { var collector: String }
            var dataTypes = ["request"]
            var maxEncodedDataSize: Int
        }

        struct GetData: BiDiCommand {
            static let method = "network.getData"
            struct Answer: Decodable { var bytes: Bytes }
            var dataType = "request"
            var collector: String
            var request: String
            var disown = true
        }

        struct ContinueRequest: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "network.continueRequest"
            var request: String
        }

        struct FailRequest: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "network.failRequest"
            var request: String
        }

        struct ProvideResponse: BiDiCommand {
            typealias Answer = BiDiNothing
            static let method = "network.provideResponse"
            var request: String
            var statusCode: Int
            var reasonPhrase: String
            var headers: [Header]
            var body: Bytes
        }

        struct Header: Codable, Sendable {
            var name: String
            var value: Bytes
        }

        /// Text, or Base64 of what is no UTF-8.
        struct Bytes: Codable, Sendable {
            var type: String
            var value: String

            init(_ text: String) {
                type = "string"
                value = text
            }

            var text: String? { type == "string" ? value : nil }
        }
    }
}
