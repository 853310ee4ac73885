import BatonContract
import BusTesting
import DBus
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ErrorTests {
    @Test(arguments: BatonError.Code.allCases)
    func `each error keeps its name and text over a bus`(_ code: BatonError.Code) async throws {
        let details = TokenErrorDetails(reason: "login_required", errorCodes: [50058], declinedScopes: ["mail"])
        let error = BatonError(code, "Do this.", details: details.dictionary)
        #expect(error.name.rawValue == "org.baton.Error.\(code.rawValue)")
        try await withPrivateBus { bus in
            let server = try await bus.connect()
            let client = try await bus.connect()
            var object = ServedObject()
            object.answer(Device1.cancelSignIn) { _, _ in throw error }
            try await server.serve(object, at: Device1.path)
            let caught = await #expect(throws: DBusError.self) {
                try await client.call(Device1.cancelSignIn, to: server.uniqueName, at: Device1.path)
            }
            let told = BatonError(try #require(caught))
            #expect(told == BatonError(code, "Do this."))
        }
    }

    @Test func `the errors are those of the contract`() throws {
        let text = try ContractFiles.text("org.baton.Device1.xml")
        for code in BatonError.Code.allCases { #expect(text.contains(code.rawValue)) }
        #expect(BatonError.Code.allCases.count == 22)
    }

    @Test func `a text that names a correlation id gives it back, and no other text does`() {
        let id = "6f1e-AB"
        #expect(CorrelationID.at(endOf: CorrelationID.mark("Ask (again).", id)) == id)
        for text in ["", "Ask.", "Ask (again)", "(Correlation ID: x) and more", "Correlation ID: x)"] {
            #expect(CorrelationID.at(endOf: text) == nil, "\(text)")
        }
    }

    @Test func `what is no error of Baton is none`() {
        #expect(BatonError(DBusError.timedOut) == nil)
        #expect(BatonError(DBusError.reply(name: .accessDenied, message: "")) == nil)
        #expect(BatonError(DBusError.reply(name: "org.baton.Error.Unheard", message: "")) == nil)
    }
}
