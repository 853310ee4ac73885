#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "clock.h"

#include <sys/timex.h>

int baton_clock_is_synchronised(void) {
    struct timex clock = {.modes = 0};
    int state = adjtimex(&clock);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}
