import BusTesting
import FolderTesting
import Glibc
public import TerminalTesting
public import WebText

/// A real `baton-devidp` on a free port, with its sample accounts unless it is told others.
public final class DevelopmentProviderProcess: Sendable {
    public static let ana = ProviderAccount(username: "ana", password: "ana", name: "Ana Horvat")
    public static let ben = ProviderAccount(username: "ben", password: "ben", name: "Ben Okafor")

    public let program: Program
    public let issuer: String
    public let caFile: String?
    /// Where `/control` is.
    private let origin: String
    private let folder: TemporaryFolder

    /// - Parameter hostName: The host of its https addresses; the authority's certificate must have it.
    public static func start(
        _ arguments: [String] = [], certificateAuthority: TestCertificateAuthority? = nil,
        hostName: String = "localhost"
    ) async throws -> DevelopmentProviderProcess {
        var words = ["\(Terminal.binaries)/baton-devidp"] + arguments
        if !arguments.contains("--log-level") { words += ["--log-level", "debug"] }
        if !arguments.contains("--accounts") { words.append("--sample-accounts") }
        if let certificateAuthority {
            words += [
                "--certificate", certificateAuthority.certificateFile, "--key", certificateAuthority.keyFile,
                "--host-name", hostName,
            ]
        }
        let folder = try TemporaryFolder("devidp")
        words += [
            "--signing-key", try folder.write(Array(try await SigningKeys.next().utf8), to: "signing.key", mode: 0o600),
        ]
        let program = try Program(words)
        let line = try await program.line(containing: "ready ")
        guard let issuer = line.split(separator: " ").last.map(String.init) else {
            throw TestingError("the provider said \(line)")
        }
        return DevelopmentProviderProcess(program, folder, issuer, certificateAuthority?.caFile)
    }

    private init(_ program: Program, _ folder: TemporaryFolder, _ issuer: String, _ caFile: String?) {
        self.program = program
        self.folder = folder
        self.issuer = issuer
        self.caFile = caFile
        // A test's browser may know the host of the issuer where this process does not.
        let own = WebAddress.origin(issuer)
        origin =
            caFile == nil ? own : "https://localhost" + (own.lastIndex(of: ":").map { String(own[$0...]) } ?? "")
    }

    public func browser() -> FormBrowser { FormBrowser(caFile: caFile) }

    /// Changes how it misbehaves.
    public func misbehave(_ names: String...) async throws {
        try await control("misbehave", ["set": .array(names.map { .string($0) })])
    }

    public func behave() async throws { try await control("misbehave", ["clear": .array([.string("all")])]) }

    /// Lets a person answer the next authorization request without the pages, in a browser that nobody types in.
    public func signInNext(_ account: ProviderAccount) async throws {
        try await control("sign-in", ["username": .string(account.username)])
    }

    @discardableResult
    public func control(_ action: String, _ members: [String: JSONValue] = [:]) async throws -> JSONValue? {
        let answer = try await WebClient(caFile: caFile).call(
            "POST", "\(origin)/control/\(action)", json: JSONValue.object(members).text)
        guard answer.status == 200 else { throw TestingError("control \(action): \(answer.status) \(answer.text)") }
        return answer.json
    }

    /// Waits until a request has come to an endpoint, by the name that `state` counts it by.
    ///
    /// - Parameter number: Which one since the provider's start.
    public func request(_ endpoint: String, number: Int64 = 1) async throws {
        try await program.line(containing: "endpoint=\(endpoint) ", count: Int(number))
    }

    /// Counters and what is alive, by the names that `/control/state` has.
    public func state(_ name: String) async throws -> Int64 {
        if let value = try await state(of: name)?.integer { return value }
        guard let value = try await state(of: "requests")?[name]?.integer else {
            throw TestingError("the provider counts no \(name)")
        }
        return value
    }

    public func state(of name: String) async throws -> JSONValue? {
        try await WebClient(caFile: caFile).get("\(origin)/control/state").json?[name]
    }
}

extension JSONValue {
    /// JSON text, for what a test sends.
    var text: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSONValue.string($0.key).text):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}
