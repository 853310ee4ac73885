/// Keeps tasks on a bus thread while they are on no actor, as whenever they go on after a wait: otherwise the pool of threads
/// would do that, for two changes of thread.
///
/// It is given to a task as its preferred executor. Default actors that such a task calls run on the thread too, so none
/// of them may block or compute for long.
final class BusTasks: TaskExecutor {
    private let loop: BusLoop

    init(_ loop: BusLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.add(.task(UnownedJob(job), self))
    }
}
