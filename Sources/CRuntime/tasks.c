#include "tasks.h"

/* What Swift's runtime offers to those who run its tasks elsewhere than on libdispatch's pool: swift.org's
   stdlib/public/Concurrency/ConcurrencyHooks.cpp and include/swift/Runtime/Concurrency.h. Swift itself cannot name them. A runtime
   without them does not link, and one that does not look at them any more goes on with its pool. */
#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void enqueue(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue *usual);
/* Without an actor's executor: both words of it are zero. */
extern SWIFT_CALL void swift_job_run(void *job, void *actor, void *implementation);

static void (*taken)(void *job);

static SWIFT_CALL void take_task(void *job, enqueue *usual) {
    (void)usual;
    taken(job);
}

void baton_take_tasks(void (*take)(void *job)) {
    taken = take;
    swift_task_enqueueGlobal_hook = take_task;
}

void baton_run_task(void *job) { swift_job_run(job, 0, 0); }
