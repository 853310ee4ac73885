/* What there is: apps, their processes, the bus between them and batond, and the observer. */

#ifndef WORLD
#define WORLD 1
#endif
#define PROCESSES 2
#if WORLD == 1 /* two apps: one listed (the agent knows where its data lies), one not */
#define APPS 2
#define APP(p) (p)
#define LISTED(a) ((a) == 0)
#elif WORLD == 2 /* two processes of one listed app, with the same data */
#define APPS 1
#define APP(p) 0
#define LISTED(a) true
#elif WORLD == 3 /* two processes of one unlisted app, with the same data */
#define APPS 1
#define APP(p) 0
#define LISTED(a) false
#else /* turns have users: one listed app stays, and an unlisted one is a program of the turn's user, with its files in memory */
#define APPS 2
#define APP(p) (p)
#define LISTED(a) ((a) == 0)
#define SLICES
#endif
#ifdef SLICES
#define OF_TURN(p) ((p) == 1)
/* Nothing is waited for but the turn's own program, which has had its time or has left the bus. */
#define ONLY_TURN_OPEN (v.entry[0] != PENDING && v.entry[1] == PENDING && wanted[1])
#define ENDED v.ended
#else
#define OF_TURN(p) false
#define ENDED true
#endif

#ifndef BARRIERS
#define BARRIERS 2
#endif
#ifndef CRASHES /* of batond */
#define CRASHES 1
#endif
#ifndef MISHAPS /* an app dies, leaves the bus, says something twice */
#define MISHAPS 1
#endif
#ifndef AGENT_DEATHS
#define AGENT_DEATHS 0
#endif

/* The seeded faults, one at a time. */
#ifndef FAULT
#define FAULT 0
#endif
#define UNJOURNALLED 1     /* the beginning of a barrier is not journalled */
#define NO_EPOCH 2         /* an acknowledgement counts for whatever is being cleared */
#define DEATH_CONSENTS 3   /* leaving the bus counts as an acknowledgement */
#define LATE_IGNORED 4     /* who joins while it clears is treated as if nothing were going on */
#define NOT_WIPED 5        /* the hard deadline goes on without containing anything */
#define FLUSH_AFTERWARDS 6 /* an app acknowledges and then writes what it still had */
#define FORGERY 7          /* the sender of an acknowledgement is not looked at */
#define ANSWERED_EARLY 8   /* a sign-in is answered before its epoch is journalled */
#define HOLDERS_FIRST 9    /* what programs share is cleared before the programs */
#define OPEN_GATE 10       /* an account takes the device in quarantine */
#define HASTY 11           /* who is slow is contained at the soft deadline */
#define DEAF 12            /* an app that missed a sign-out goes on with the next account */
#define BEGUN_TWICE 13     /* a restart begins the barrier again */
#define NO_LIMIT 14        /* a barrier waits for its agent without end */
#define PAID_EARLY 15      /* an acknowledgement pays for a process that had left the bus and still ran when it was asked for */
#define LAST_AGENT 16      /* an answer of an agent that is gone counts for what the present one was asked */
#define FULL_SLICE 17      /* whatever the kernel says of a slice, it counts as empty */
#define UNAWAITED_SLICE 18 /* a barrier ends without waiting for the kernel */

mtype = { READY, IN_USE, CLEARING, QUARANTINED };                    /* phases */
mtype = { NONE, PENDING, CLEARED, CONTAINED, OWED };                 /* entries of the roster */
mtype = { OFF, OFF_BUS, JOINING, IDLE, USING, TO_CLEAR, TO_ACKNOWLEDGE, ACKNOWLEDGING, STUCK }; /* an app's process */
mtype = { REGISTER, ACKNOWLEDGE };                                   /* calls */
mtype = { WELCOME, MUST_CLEAR, ACCEPTED, REFUSED, NO_REPLY }; /* answers */
mtype = { SIGN_IN, SIGN_OUT, END_QUARANTINE };                       /* people */
mtype = { NOTHING, CONTAIN, CLEAR_HOLDERS, AGENT_IS_NEW };           /* the agent's tasks and news */
mtype = { EMPTY, POPULATED };                                        /* the kernel's word on a slice */

#define SOFT 1
#define HARD 2
#define ABSOLUTE 3
#define BIT(e) (1 << (e))

/* What batond knows, in memory (v) and in the journal (j). */
typedef Book {
    mtype phase;
    byte epoch;
    bool closed;           /* the participants step */
    mtype entry[APPS];
    byte owes[APPS];       /* the epoch that the app must clear, 0: none */
    bool roster[APPS];     /* registered during this epoch */
    bool on[PROCESSES];    /* has a registration on the bus */
    bool acked[PROCESSES]; /* for what its app owes */
    bool left[PROCESSES];  /* left the bus without acknowledging, and nobody knows yet that the process is gone */
    bool unpaid[APPS];     /* some process left without acknowledging */
    bool ended;            /* the kernel has said that the turn's slice is empty */
    bool pays[PROCESSES]   /* this one was asked to clear after those were gone */
};
Book v, j;
bool wanted[APPS];         /* the agent is to contain these; in memory only */
byte now;                  /* the newest deadline that has passed in this barrier */
byte crashes, mishaps, agentDeaths;

/* The bus keeps the order of each sender. What comes from the agent, the clock and people is handled when it happens. */
chan calls[PROCESSES] = [2] of { mtype, byte };
chan mail[PROCESSES] = [1] of { mtype, byte };
chan ask = [0] of { mtype };
chan forged = [0] of { byte };
chan tick = [0] of { bool };
chan report = [0] of { mtype };
/* What an agent said before it died, still on its way; it can come at any time, also in a later barrier. */
mtype late = NOTHING;
byte lateApp;

/* The apps' processes and their disks. */
mtype state[PROCESSES] = OFF;
bool alive[PROCESSES], connected[PROCESSES];
bool same[PROCESSES];      /* it is still the process whose connection left the bus */
byte holds[PROCESSES];     /* the epoch that it works for */
byte target[PROCESSES];    /* the epoch that it acknowledges */
byte disk[APPS];           /* the epochs of which something lies there, a bit each */
bool holder;               /* something of a worker is in the clipboard and the like */

/* The agent. */
bool agentUp = true;
mtype task = NOTHING;
byte taskApp;
bool killed;               /* the first half of a containment is done */
bool doomed[PROCESSES];    /* it has pidfds of these processes */

/* The kernel. */
bool isOpen;               /* programs can be started as the turn's user */
bool killing;              /* batond has written to cgroup.kill, and waits for the kernel's word */
byte stubborn;             /* how many times a process did not end at once, as in an uninterruptible sleep */
chan slice = [0] of { mtype };

/* Always false: a violated assertion tells by it which invariant it stands for. */
bool S1, S2, S3, S4, S5, S6, S7, S9, S10, L2, L3;

/* The observer. */
bool seen_begun[BARRIERS + 2];
byte seen_begins[BARRIERS + 2], seen_ends[BARRIERS + 2];
byte seen_newest;
bool seen_late;            /* the hard deadline has passed in this barrier, in this batond's life or an earlier one */
bool seen_released;        /* an administrator ended the last barrier */
bool seen_used[APPS];      /* somebody of it had the newest account */
bool seen_alone[APPS];     /* in this barrier it once had no process on the bus */

/* Counters inside one step, zero between steps. */
byte k_, a_;
bool ok_;
#define EACH_PROCESS(...) k_ = 0; do :: k_ < PROCESSES -> __VA_ARGS__; k_++ :: else -> break od; k_ = 0
#define EACH_APP(...) a_ = 0; do :: a_ < APPS -> __VA_ARGS__; a_++ :: else -> break od; a_ = 0
#define IF(condition, ...) if :: condition -> __VA_ARGS__ :: else fi

/* After the last barrier nothing new can happen. */
#define OVER (v.phase == READY && v.epoch == BARRIERS)
#define BARRIER (v.phase == CLEARING || v.phase == QUARANTINED)
#if APPS == 2
#define SETTLED (v.entry[0] != PENDING && v.entry[1] != PENDING)
#define ANY_WANTED (wanted[0] || wanted[1])
#else
#define SETTLED (v.entry[0] != PENDING)
#define ANY_WANTED wanted[0]
#endif

/* A process dies, and its end of the bus with it. */
inline dead(q) {
    alive[q] = false; connected[q] = false; same[q] = false; doomed[q] = false; holds[q] = 0; target[q] = 0;
    do :: mail[q]?_,_ :: empty(mail[q]) -> break od;
    state[q] = OFF
}

/* The observer at the gate: nothing of a worker lies where nobody owes it, and nobody still works for them. */
inline gate() {
    assert(S7 || j.phase == READY);
    EACH_APP(
        assert(S1 || v.entry[a_] != PENDING);                   /* every entry of a closed roster is settled */
        assert(S1 || disk[a_] == 0 || v.owes[a_] != 0));
    EACH_PROCESS(assert(S1 || holds[k_] == 0 || v.owes[APP(k_)] != 0));
    EACH_PROCESS(assert(S10 || !OF_TURN(k_) || !alive[k_]));    /* nothing of the last turn's user runs */
    assert(S6 || !holder || seen_released)
}
