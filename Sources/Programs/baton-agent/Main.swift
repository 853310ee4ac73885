import BatonAgentProgram

@main struct Main {
    static func main() { runBatonAgent() }
}
