import BatonContract
import BusTesting
import DBus
import FolderTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct InterfaceTests {
    @Test func `the interface of batond is what its file says`() throws {
        let declared = Introspection.document(Interfaces.device)
        #expect(
            try ContractFiles.lines(ContractFiles.text("org.baton.Device1.xml")) == ContractFiles.lines(declared))
    }

    @Test func `the interface of the agent is what its file says`() throws {
        let declared = Introspection.document([Interfaces.agent1])
        #expect(try ContractFiles.lines(ContractFiles.text("org.baton.Agent1.xml")) == ContractFiles.lines(declared))
    }

    @Test(arguments: ["org.baton.Device1.xml", "org.baton.Agent1.xml"])
    func `gdbus-codegen accepts the files and makes a manual of them`(_ name: String) async throws {
        let folder = try TemporaryFolder("codegen")
        let path = ContractFiles.folder + name
        for arguments in [
            ["--generate-docbook", "manual", "--output-directory", folder.path],
            ["--generate-c-code", "code", "--output-directory", folder.path],
        ] {
            let run = try await ChildProcess(["gdbus-codegen"] + arguments + [path]).end()
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output == "")
        }
    }

    /// qdbusxml2cpp stops at a type that QtDBus has no name for, unless an annotation gives it one.
    @Test(arguments: ["org.baton.Device1.xml", "org.baton.Agent1.xml"])
    func `Qt's generator is told the type of each dictionary`(_ name: String) throws {
        let lines = try ContractFiles.lines(ContractFiles.text(name))
        for (type, name) in [("a{sv}", "QVariantMap"), ("aa{sv}", "QList&lt;QVariantMap&gt;")] {
            let named = lines.count { $0.contains("QtDBus.QtTypeName") && $0.hasSuffix("value=\"\(name)\"/>") }
            #expect(named > 0 && named == lines.count { $0.contains("type=\"\(type)\"") }, "\(type)")
        }
    }

    @Test func `every member has its manual`() throws {
        var documented: Set<String> = []
        for line in try (ContractFiles.text("org.baton.Device1.xml") + ContractFiles.text("org.baton.Agent1.xml"))
            .split(separator: "\n")
        {
            let words = line.split(separator: " ")
            let word = words.first == "<!--" ? words.dropFirst().first : words.first
            if let word, word.hasSuffix(":") { documented.insert(String(word.dropLast())) }
        }
        for interface in Interfaces.device + [Interfaces.agent1] {
            #expect(documented.contains(interface.name.rawValue))
            let members =
                interface.methods.map(\.name) + interface.signals.map(\.name) + interface.properties.map(\.name)
            for member in members { #expect(documented.contains(member.rawValue), "\(member)") }
            let arguments = interface.methods.flatMap { $0.input + $0.output } + interface.signals.flatMap(\.arguments)
            for argument in arguments { #expect(documented.contains("@" + argument.name), "\(argument.name)") }
        }
    }
}
