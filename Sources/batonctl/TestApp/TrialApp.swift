import Baton
import Glibc
import LinuxSystem
import Processes

/// The app under test, from start to start.
actor TrialApp {
    private let command: [String]
    private let environment: [String: String]
    private let wrapper: ProgramWrapper
    private var program: (any WrappedProgram)?
    private var ending: Task<Int32?, Never>?
    private(set) var exitCode: Int32?

    init(command: [String], environment: [String: String], wrapper: ProgramWrapper) {
        self.command = command
        self.environment = environment
        self.wrapper = wrapper
    }

    var isRunning: Bool { program != nil && exitCode == nil }

    func start() async throws {
        await end()
        exitCode = nil
        var descriptors: [Int32: Descriptor] = [:]
        // What it prints is for the developer, and never among what is printed for programs.
        for number in Int32(1)...2 {
            let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            if copy >= 0 { descriptors[number] = Descriptor(owning: copy) }
        }
        let program = try await wrapper.start(command, environment: environment, descriptors: descriptors)
        self.program = program
        ending = Task { [weak self] in
            guard let code = await program.exit() else { return nil }
            await self?.ended(code, program)
            return code
        }
    }

    private func ended(_ code: Int32, _ ended: any WrappedProgram) {
        exitCode = code
    }

    /// Kills it with all that it started.
    func end() async {
        ending?.cancel()
        _ = await program?.end(limit: TimeLimit(.seconds(10)))
        _ = await ending?.value
        program = nil
    }
}
