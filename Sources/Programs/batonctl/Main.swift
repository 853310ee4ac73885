import BatonctlProgram

@main struct Main {
    static func main() async { await runBatonctl() }
}
