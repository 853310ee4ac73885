import FolderTesting
import Glibc
import LinuxSystem
import Synchronization
import Testing
import Wiping

@Suite(.serialized, .timeLimit(.minutes(3)))
struct `Wiping while somebody interferes` {
    /// Runs `interfere` over and over on a thread of its own while `body` works.
    private func during(_ interfere: @escaping @Sendable () -> Void, _ body: () throws -> Void) rethrows {
        let (rounds, over) = (Shared(0), Shared(0))
        let started = Shared(0)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(
            Box {
                while over.value.load(ordering: .acquiring) == 0 {
                    interfere()
                    rounds.value.add(1, ordering: .relaxed)
                    started.value.store(1, ordering: .releasing)
                }
            })
        pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        while started.value.load(ordering: .acquiring) == 0 { sched_yield() }
        defer {
            over.value.store(1, ordering: .releasing)
            pthread_join(thread, nil)
        }
        try body()
    }

    @Test(arguments: Cleaner.allCases) func `a folder swapped for a link to the outside leads nowhere`(cleaner: Cleaner)
        throws
    {
        let folder = try TemporaryFolder("wiping")
        let canary = try folder.file("outside/sub/canary")
        let root = try folder.folder("root")
        let (a, b, outside) = (root + "/a", root + "/b", folder.path + "/outside")
        try during {
            rename(a, b)
            symlink(outside, a)
            unlink(a)
            rename(b, a)
        } _: {
            for _ in 0..<cleaner.rounds {
                _ = try? folder.file("root/a/sub/file")
                _ = cleaner.clean(root, TimeLimit(.seconds(60)))
                try #require(exists(canary))
            }
        }
        #expect(cleaner.clean(root, TimeLimit(.seconds(60))).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `a folder moved out while it is wiped does not take the wipe with it`(
        cleaner: Cleaner
    ) throws {
        let folder = try TemporaryFolder("wiping")
        let canary = try folder.file("outside/canary")
        let root = try folder.folder("root")
        let (inside, outside) = (root + "/a/b", folder.path + "/outside/b")
        let deep = (0..<60).map { _ in "d" }.joined(separator: "/")
        try during {
            rename(inside, outside)
            rename(outside, inside)
        } _: {
            for _ in 0..<cleaner.rounds {
                _ = try? folder.file("root/a/b/\(deep)/file")
                _ = cleaner.clean(root, TimeLimit(.seconds(60)))
                try #require(exists(canary))
            }
        }
    }

    @Test func `a root that is replaced while it is wiped is not called empty`() throws {
        let folder = try TemporaryFolder("wiping")
        let root = try folder.folder("root")
        let other = folder.path + "/other"
        try folder.file("other/file")
        try folder.file("root/file")
        let spare = folder.path + "/spare"
        during {
            rename(root, spare)
            rename(other, root)
            rename(root, other)
            rename(spare, root)
        } _: {
            for _ in 0..<200 {
                let report = Wipe(root: root).perform(limit: TimeLimit(.seconds(60)))
                // Missing for an instant, wiped, or replaced and said so: never a trap, never an error unsaid.
                #expect(report.isEmpty == (report.explanation == nil))
            }
        }
    }

    @Test(arguments: Cleaner.allCases) func `a writer that does not stop cannot hold the wipe beyond its limit`(
        cleaner: Cleaner
    ) throws {
        let folder = try TemporaryFolder("wiping")
        let root = try folder.folder("root")
        let counter = Shared(0)
        during {
            let number = counter.value.add(1, ordering: .relaxed).newValue
            close(open(root + "/\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
        } _: {
            let begin = SuspendingClock.now
            let report = cleaner.clean(root, TimeLimit(.milliseconds(300)))
            #expect(report.isEmpty == (report.explanation == nil))
            #expect(begin.duration(to: .now) < .seconds(30))
        }
        #expect(cleaner.clean(root, TimeLimit(.seconds(60))).isEmpty)
    }

    private final class Shared: Sendable {
        let value: Atomic<Int>

        init(_ value: Int) {
            self.value = Atomic(value)
        }
    }

    private final class Box: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
