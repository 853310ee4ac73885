import BatondProgram

@main struct Main {
    static func main() { runBatond() }
}
