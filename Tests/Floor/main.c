// Usage: baton-floor serve ADDRESS NAME
//        baton-floor calls ADDRESS COUNT NAME...
//        baton-floor rounds ADDRESS ROUNDS PARTICIPANTS PIN NAME...
//        baton-floor starts ADDRESS ROUNDS NAME PROGRAM ARGUMENT... -- NAME PROGRAM ARGUMENT...
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **word) {
    const char *verb = count > 1 ? word[1] : "";
    if (strcmp(verb, "serve") == 0 && count == 4) return serve(word[2], word[3]);
    if (strcmp(verb, "calls") == 0 && count > 4) return measure_calls(word[2], atoi(word[3]), count - 4, word + 4);
    if (strcmp(verb, "rounds") == 0 && count > 6) {
        return measure_rounds(word[2], atoi(word[3]), atoi(word[4]), word[5], count - 6, word + 6);
    }
    if (strcmp(verb, "starts") == 0 && count > 5) return measure_starts(word[2], atoi(word[3]), count - 4, word + 4);
    fprintf(stderr, "baton-floor: serve, calls, rounds or starts; see Tests/Floor/main.c\n");
    return 64;
}
