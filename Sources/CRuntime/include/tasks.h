#ifndef BATON_TASKS_H
#define BATON_TASKS_H

/* From now on each task that prefers no executor is handed to `take`, from any thread, when it can go on. To be called once,
   before the first task. */
void baton_take_tasks(void (*take)(void *job));

/* Lets such a task go on, on the calling thread; once for each time that it was handed over. */
void baton_run_task(void *job);

#endif
