import BatonAgentProgram

@main struct Main {
    static func main() async { await runBatonAgent() }
}
