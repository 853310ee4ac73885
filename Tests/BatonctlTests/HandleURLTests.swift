import BusTesting
import Testing

@testable import BatonctlProgram

@Suite(.timeLimit(.minutes(1))) struct HandleURLTests {
    @Test(arguments: [("known", 0), ("stale", 1)] as [(String, Int32)])
    func `It ends as the device says, and prints nothing of the address`(state: String, status: Int32) async throws {
        let place = try Workplace()
        try await withPrivateBus { bus in
            let device = try await ProviderDevice(on: bus)
            let run = try await place.batonctl(["handle-url", "x.y://auth?code=s3cret&state=\(state)"], on: bus).end()
            #expect(run.status == status)
            #expect(!run.output.contains("s3cret") && !run.output.contains("state"))
            #expect(run.output.isEmpty == (status == 0))
            await device.close()
        }
    }

    @Test(arguments: [["x.y://auth?code=s3cret", "x.y://auth?code=s3cret"], ["x.y://auth?code=s3cret\n"], ["?s3cret"]])
    func `What is no address is wrong usage, and is not printed either`(arguments: [String]) async throws {
        let place = try Workplace()
        let run = try await place.batonctl(["handle-url"] + arguments).end()
        #expect(run.status == 64)
        #expect(!run.output.contains("s3cret"))
    }

    @Test func `Without batond it ends with 69, and prints nothing of the address`() async throws {
        let place = try Workplace()
        let run = try await place.batonctl(["handle-url", "x.y://auth?code=s3cret"]).end()
        #expect(run.status == 69)
        #expect(!run.output.contains("s3cret"))
    }
}
