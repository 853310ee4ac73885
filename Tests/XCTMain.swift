import Glibc
import Testing

/// Where the tests begin, so that the build does not look for XCTest's, of which there are none, in an index that costs a sixth
/// of its time: a file of this name takes the place of the one that SwiftPM makes, which calls the same function.
@main struct TestRun {
    static func main() async {
        // `swift test` calls it for XCTest as well unless that is switched off, and Swift Testing would then run all there is.
        guard CommandLine.arguments.contains("swift-testing") else {
            print("All tests are Swift Testing's: add --disable-xctest --enable-swift-testing.")
            exit(64)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
