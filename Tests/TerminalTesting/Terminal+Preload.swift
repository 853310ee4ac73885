import BusTesting

extension Terminal {
    /// Makes a library that takes the place of functions of the C library in a program: for what the system does only where it is
    /// in trouble.
    ///
    /// - Parameter source: In C, its includes too.
    /// - Returns: The variables with which a program has it.
    public func preload(_ source: String) async throws -> [String: String] {
        try write(source, to: "preload.c")
        let library = "\(folder)/preload.so"
        let compiler = try run(["gcc", "-shared", "-fPIC", "-o", library, "\(folder)/preload.c"])
        guard await compiler.end() == 0 else { throw TestingError("the library was not made: \(compiler.output)") }
        return ["LD_PRELOAD": library]
    }
}
