import Testing

/// Where the tests begin, so that the build does not look for XCTest's, of which there are none, in an index that costs a sixth
/// of its time: a file of this name takes the place of the one that SwiftPM makes, which calls the same function.
@main struct TestRun {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
