// libFuzzer's program for whatever comes from a provider: `make fuzz`. The first byte of an input chooses the way in.
import Dispatch
import Glibc
import Identity
import Synchronization

private let authority = try? Authority("https://login.example")

/// Never believed: what has a right signature cannot be made by changing bytes.
private let tokens: TokenFuzzEntry? = {
    // An RSA key of 2048 bits made for this, whose private half nobody has.
    let modulus =
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhM"
        + "stn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1"
        + "n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    let keys = #"{"keys":[{"kty":"RSA","kid":"1","alg":"RS256","e":"AQAB","n":"\#(modulus)"}]}"#
    guard let authority else { return nil }
    let made = Mutex<TokenFuzzEntry?>(nil)
    let ready = DispatchSemaphore(value: 0)
    Task {
        let entry = try? await TokenFuzzEntry(
            keys: Array(keys.utf8), authority: authority, metadata: metadata, clientID: "baton", now: 1_700_000_000)
        made.withLock { $0 = entry }
        ready.signal()
    }
    ready.wait()
    return made.withLock { $0 }
}()

private let metadata = ProviderMetadata(
    issuer: "https://login.example", authorizationEndpoint: "https://login.example/authorize",
    tokenEndpoint: "https://login.example/token", jwksURI: "https://login.example/keys")

/// libFuzzer's own entry; the package manager has a main of its own, so that libFuzzer's is not taken.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
struct Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, fuzz))
    }
}

/// By this name the library looks for it, too.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = UnsafeBufferPointer(start: data, count: size)
    guard let choice = input.first, let authority else { return 0 }
    let bytes = Array(input.dropFirst())
    switch (choice &- UInt8(ascii: "0")) % 10 {
    case 0: _ = FuzzEntry.discovery(bytes, authority: authority)
    case 1: _ = FuzzEntry.keys(bytes)
    case 2: _ = FuzzEntry.answer(bytes, authority: authority, metadata: metadata)
    case 3: _ = FuzzEntry.address(bytes)
    case 4: precondition(tokens?.idToken(bytes) != true, "an ID token was believed")
    case 5: precondition(tokens?.logoutToken(bytes) != true, "a logout token was believed")
    case 6: _ = FlowFuzzEntry.redirect(bytes)
    case 7: _ = FlowFuzzEntry.tokenAnswer(bytes)
    case 8: _ = FlowFuzzEntry.errorAnswer(bytes, status: 400)
    default: _ = FlowFuzzEntry.deviceAnswer(bytes)
    }
    return 0
}
