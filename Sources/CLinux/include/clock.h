#ifndef BATON_CLOCK_H
#define BATON_CLOCK_H

#include <sys/timex.h>

/* 1: something keeps the wall clock right, 0: nothing does; -1: the kernel does not say. */
static inline int baton_clock_is_synchronised(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

#endif
