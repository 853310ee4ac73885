public import LinuxSystem
public import Processes
public import Vocabulary

/// Starts programs so that their end can be proven, in the strongest way that this machine has.
public struct Confiner: Sendable {
    /// What the end of a program in a sandbox proves.
    public let proof: Proof
    /// The same for one that sees everything: a namespace would take rights from it.
    let looseProof: Proof
    /// Why there are no namespaces; nil: there are, or they were not tried.
    public let obstacle: String?
    public let surroundings: Surroundings
    private let launcher: Launcher
    let notes: SandboxNotes
    private let groups: ControlGroups?

    init(
        proof: Proof, looseProof: Proof, obstacle: String? = nil, surroundings: Surroundings, launcher: Launcher,
        groups: ControlGroups?
    ) {
        self.proof = proof
        self.looseProof = looseProof
        self.obstacle = obstacle
        self.surroundings = surroundings
        self.launcher = launcher
        self.groups = groups
        notes = SandboxNotes(folder: surroundings.folder)
    }

    /// Tries each way with a real program and takes the first that works.
    public static func detect(
        _ surroundings: Surroundings = Surroundings(), launcher: Launcher = Launcher()
    ) async -> Confiner {
        let groups = ControlGroups.find(surroundings)
        var proof: Proof?
        var loose: Proof?
        var obstacle: String?
        for level in Proof.allCases.drop(while: { $0 != surroundings.strongest }) where loose == nil {
            let candidate = Confiner(
                proof: level, looseProof: level, surroundings: surroundings, launcher: launcher, groups: groups)
            // There is nothing weaker than the last.
            guard level != .pid else { break }
            if let fault = await candidate.fault() {
                if level == .namespace { obstacle = fault }
                continue
            }
            if proof == nil { proof = level }
            if level != .namespace { loose = level }
        }
        return Confiner(
            proof: proof ?? .pid, looseProof: loose ?? .pid, obstacle: obstacle, surroundings: surroundings,
            launcher: launcher, groups: groups)
    }

    /// Why it does not work; nil: it does.
    private func fault() async -> String? {
        // One that stays: a program that ends at once may be gone before it is pinned.
        var program = ConfinedProgram(name: "trial", command: ["/bin/sleep", "60"])
        program.seesDisplay = false
        do throws(LaunchFault) {
            let trial = try await start(program, as: proof)
            return await trial.end(limit: TimeLimit(.seconds(5)))
        } catch {
            return error.description
        }
    }

    /// Returns when the program runs.
    ///
    /// The caller that starts it must end it: `end` also waits for it and puts away what belongs to it.
    public func start(_ program: ConfinedProgram) async throws(LaunchFault) -> any Confinement {
        if let user = program.user {
            return try await TurnConfinement.start(program, as: user, surroundings, limit: TimeLimit(.seconds(20)))
        }
        return try await start(program, as: program.seesEverything ? looseProof : proof)
    }

    private func start(_ program: ConfinedProgram, as proof: Proof) async throws(LaunchFault) -> any Confinement {
        if let fault = notes.prepare() { throw fault }
        guard program.command.first?.hasPrefix("/") == true else {
            throw .missing(program.command.first ?? "no program")
        }
        let note = notes.entry(name: program.name, proof: proof)
        let limit = TimeLimit(.seconds(10))
        if proof == .namespace {
            return try await NamespaceConfinement.start(
                program, surroundings, launcher: launcher, note: note, limit: limit)
        }
        let open = try await OpenSandbox.make(program, surroundings, launcher: launcher, note: note, limit: limit)
        do throws(LaunchFault) {
            switch proof {
            case .cgroup:
                guard let groups else { throw .failed("there are no control groups for this user") }
                return try await CgroupConfinement.start(open, groups, launcher: launcher, limit: limit)
            case .tree:
                return try await SubreaperConfinement.start(
                    open, reaper: surroundings.reaper, launcher: launcher, limit: limit)
            default:
                return try await PidConfinement.start(open, launcher: launcher)
            }
        } catch {
            _ = await open.close(limit: TimeLimit(.seconds(5)))
            throw error
        }
    }

    /// Ends what an agent that was killed has left, and waits until it is gone.
    ///
    /// - Returns: What could not be proven gone; empty: nothing is left.
    public func sweep(limit: TimeLimit) async -> [String] {
        await Sweep(notes: notes, groups: groups).run(limit: limit)
    }
}
