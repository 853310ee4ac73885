/* batond. Every step is an event, what it changes, the journal, and only then what others hear of it. */

#define COPY(to, from) \
    to.phase = from.phase; to.epoch = from.epoch; to.closed = from.closed; to.ended = from.ended; \
    EACH_APP(to.entry[a_] = from.entry[a_]; to.owes[a_] = from.owes[a_]; to.roster[a_] = from.roster[a_]; \
        to.unpaid[a_] = from.unpaid[a_]); \
    EACH_PROCESS(to.on[k_] = from.on[k_]; to.acked[k_] = from.acked[k_]; to.left[k_] = from.left[k_]; \
        to.pays[k_] = from.pays[k_])

inline commit() { COPY(j, v) }

/* batond may die between its journal write and what it tells others. */
#define SAY(...) if :: d_step { __VA_ARGS__ } :: crashes < CRASHES -> d_step { die() } fi

inline cancelTask() { task = NOTHING; taskApp = 0; killed = false; EACH_PROCESS(doomed[k_] = false) }

/* An answer comes to who waits for it; the answer to what was said twice comes to nobody. */
inline answer(q, name, number) {
    IF(len(mail[q]) == 0 && connected[q] && (state[q] == JOINING || (state[q] == ACKNOWLEDGING && target[q] == number)),
        mail[q]!name,number)
}

inline handOut(q) {
    assert(S3 || !seen_begun[v.epoch]);                    /* no account of an epoch after its clearing began */
    assert(S1 || (disk[APP(q)] & ~BIT(v.epoch)) == 0);     /* who must clear gets no account */
    assert(S1 || v.owes[APP(q)] == 0)
}

/* The entry is the app: every process of it on the bus must have acknowledged. What a process owed that left the bus is
   paid by one that was asked to clear after it was gone: before, it may have written once more. */
inline settle(app) {
    ok_ = false;
    EACH_PROCESS(IF(APP(k_) == app && v.acked[k_] && (!v.unpaid[app] || v.pays[k_]), ok_ = true));
    EACH_PROCESS(IF(APP(k_) == app && ((v.on[k_] && !v.acked[k_]) || v.left[k_]), ok_ = false));
    IF(ok_,
        v.owes[app] = 0; v.unpaid[app] = false;
        IF(v.entry[app] == PENDING, v.entry[app] = CLEARED; wanted[app] = false));
    ok_ = false
}

/* Asked to clear now, it pays for those that are gone by now. */
inline pay(q) {
    v.pays[q] = true;
#if FAULT != PAID_EARLY
    a_ = 0;
    do
    :: a_ < PROCESSES -> IF(APP(a_) == APP(q) && v.left[a_], v.pays[q] = false); a_++
    :: else -> break
    od;
    a_ = 0
#endif
}

/* An entry without a live process is contained without waiting for it. */
inline wantWithoutProcess() {
    EACH_APP(
        IF(v.entry[a_] == PENDING,
            ok_ = true;
            EACH_PROCESS(IF(APP(k_) == a_ && v.on[k_], ok_ = false));
            IF(ok_, wanted[a_] = true; seen_alone[a_] = true);
            ok_ = false))
}

inline wantPending() { EACH_APP(IF(v.entry[a_] == PENDING, wanted[a_] = true)) }

inline begin() {
    v.phase = CLEARING;
    EACH_APP(IF(v.roster[a_], v.entry[a_] = PENDING; v.owes[a_] = v.epoch));
    EACH_PROCESS(v.acked[k_] = false);
    EACH_PROCESS(v.pays[k_] = false; IF(v.on[k_], pay(k_)));
    seen_begins[v.epoch]++; assert(S9 || seen_begins[v.epoch] == 1); /* one record of the beginning */
#if FAULT != UNJOURNALLED
    commit();
#endif
#if FAULT == HOLDERS_FIRST
    holder = false;
#endif
    wantWithoutProcess()
}

/* The barrier ends. What only it needed is forgotten; debts stay. */
inline finish(how) {
    IF(v.phase == CLEARING,
        seen_ends[v.epoch]++; assert(S9 || seen_ends[v.epoch] == 1)); /* one record of the end */
    v.phase = how; now = 0; cancelTask();
    EACH_APP(wanted[a_] = false);
    IF(how == READY,
        v.closed = false; v.ended = false; seen_late = false;
        EACH_APP(
            v.roster[a_] = false; v.entry[a_] = NONE; seen_used[a_] = false; seen_alone[a_] = false;
            IF(v.owes[a_] == 0, v.unpaid[a_] = false));
        EACH_PROCESS(IF(v.owes[APP(k_)] == 0, v.acked[k_] = false; v.pays[k_] = false)));
    commit()
}

/* After every event: what can go on goes on. */
inline advance() {
    IF(BARRIER && !v.closed && SETTLED,
        EACH_APP(assert(S5 || !seen_used[a_] || v.entry[a_] != NONE)); /* nobody leaves the roster */
        v.closed = true; commit());
#ifdef SLICES
    /* After the apps; in quarantine, and when their time is over, whatever they do. */
    IF(BARRIER && !ENDED && (v.closed || v.phase == QUARANTINED || now >= HARD || ONLY_TURN_OPEN), killing = true);
#endif
    IF(BARRIER && agentUp && task == NOTHING,
        if
        :: wanted[0] -> task = CONTAIN; taskApp = 0
#if APPS == 2
        :: !wanted[0] && wanted[1] -> task = CONTAIN; taskApp = 1
#endif
#if FAULT == HOLDERS_FIRST
        :: !ANY_WANTED && v.closed -> finish(READY); gate()
#else
        :: !ANY_WANTED && v.closed && (ENDED || FAULT == UNAWAITED_SLICE) -> task = CLEAR_HOLDERS
#endif
        :: else
        fi;
        IF(task == CONTAIN,
            EACH_PROCESS(IF(APP(k_) == taskApp && alive[k_] && (v.on[k_] || same[k_]), doomed[k_] = true))))
}

/* A connection left the bus. */
inline leave(q) {
    v.on[q] = false;
    if
    :: v.acked[q] && v.phase != IN_USE
    :: !(v.acked[q] && v.phase != IN_USE) && v.phase == READY && v.owes[APP(q)] == 0
    :: else ->
        v.left[q] = true; v.unpaid[APP(q)] = true;
        EACH_PROCESS(IF(APP(k_) == APP(q), v.pays[k_] = false))
    fi;
#if FAULT == DEATH_CONSENTS
    IF(v.phase == CLEARING, v.left[q] = false; v.unpaid[APP(q)] = false; v.acked[q] = true);
#endif
    IF(v.owes[APP(q)] != 0, settle(APP(q)))
}

/* batond dies, and another one goes on where it was: whoever waits gets an error from the bus, and an open deadline gets at
   least the soft time again. */
inline die() {
    crashes++;
    EACH_APP(wanted[a_] = false);
    EACH_PROCESS(
        do :: calls[k_]?_,_ :: empty(calls[k_]) -> break od;
        IF((state[k_] == JOINING || state[k_] == ACKNOWLEDGING) && len(mail[k_]) == 0, mail[k_]!NO_REPLY,0));
    cancelTask(); killing = false;
    COPY(v, j);
    IF(now > SOFT, now = SOFT);
#if FAULT == BEGUN_TWICE
    IF(v.phase == CLEARING, seen_begins[v.epoch]++; assert(S9 || seen_begins[v.epoch] == 1));
#endif
    IF(v.phase == CLEARING, wantWithoutProcess());
    IF(v.phase == QUARANTINED, wantPending())
}

inline signIn() {
#if FAULT == OPEN_GATE
    IF(v.phase == READY || v.phase == QUARANTINED,
#else
    IF(v.phase == READY,
#endif
        gate();
        IF(v.epoch < BARRIERS,
            v.epoch++; v.phase = IN_USE; seen_released = false; isOpen = true;
            EACH_PROCESS(IF(v.on[k_], v.roster[APP(k_)] = true));
#if FAULT != ANSWERED_EARLY
            commit();
#endif
            assert(S4 || v.epoch > seen_newest); seen_newest = v.epoch /* no epoch is told twice */
        ))
}

inline signOut() {
    if
    :: v.phase == IN_USE -> begin(); seen_begun[v.epoch] = true
    :: v.phase == QUARANTINED -> wantPending()
    :: else
    fi
}

inline endQuarantine() {
    IF(v.phase == QUARANTINED && ENDED,
        EACH_APP(IF(v.entry[a_] == PENDING, v.entry[a_] = OWED));
        seen_released = true; finish(READY))
}

inline register(q) {
    v.on[q] = true; v.acked[q] = false;
    IF(same[q], same[q] = false; v.left[q] = false);
    pay(q);
    IF(v.phase == IN_USE, v.roster[APP(q)] = true);
#if FAULT != LATE_IGNORED
    IF(v.phase == CLEARING && !v.closed,
        v.roster[APP(q)] = true;
        IF(v.entry[APP(q)] == NONE, v.entry[APP(q)] = PENDING; v.owes[APP(q)] = v.epoch));
#endif
    commit()
}

inline greet(q) {
#if FAULT == LATE_IGNORED
    if
    :: v.phase == CLEARING -> handOut(q); answer(q, WELCOME, v.epoch)
    :: v.phase != CLEARING && v.owes[APP(q)] != 0 -> answer(q, MUST_CLEAR, v.owes[APP(q)])
#else
    if
    :: v.owes[APP(q)] != 0 -> answer(q, MUST_CLEAR, v.owes[APP(q)])
#endif
    :: v.owes[APP(q)] == 0 && v.phase == IN_USE -> handOut(q); answer(q, WELCOME, v.epoch)
    :: else -> answer(q, WELCOME, 0)
    fi
}

inline acknowledge(q, number) {
    if
#if FAULT == NO_EPOCH
    :: v.on[q] && (BARRIER || v.owes[APP(q)] != 0) ->
        assert(S2 || number == v.owes[APP(q)] || number == v.epoch);
#else
    :: v.on[q] && number != 0 && (number == v.owes[APP(q)] || (BARRIER && number == v.epoch)) ->
#endif
        v.acked[q] = true; settle(APP(q)); commit(); what = ACCEPTED
    :: else -> what = REFUSED
    fi
}

#define CALL(q) \
    atomic { !OVER && nempty(calls[q]) -> calls[q]?what,number; \
        d_step { if :: what == REGISTER -> register(q) :: else -> acknowledge(q, number) fi }; \
        SAY(if :: what == REGISTER -> greet(q) :: else -> answer(q, what, number) fi); \
        d_step { advance(); what = NOTHING; number = 0 } }

inline contained() {
    IF(v.entry[taskApp] == PENDING,
        if
        :: LISTED(taskApp) -> v.entry[taskApp] = CONTAINED; v.owes[taskApp] = 0; v.unpaid[taskApp] = false
        :: else -> v.entry[taskApp] = OWED
        fi;
        EACH_PROCESS(IF(APP(k_) == taskApp && !same[k_], v.left[k_] = false)));
    wanted[taskApp] = false; cancelTask(); commit()
}

/* Nothing of that user is left, neither processes nor what they wrote. */
inline sliceSaid(word) {
    killing = false;
#if FAULT == FULL_SLICE
    if
    :: BARRIER ->
#else
    if
    :: word == EMPTY && BARRIER ->
#endif
        v.ended = true;
        EACH_PROCESS(
            IF(OF_TURN(k_),
                v.on[k_] = false; v.left[k_] = false; v.acked[k_] = false; v.unpaid[APP(k_)] = false; v.owes[APP(k_)] = 0;
                wanted[APP(k_)] = false;
                IF(task == CONTAIN && taskApp == APP(k_), cancelTask());
                IF(v.entry[APP(k_)] == PENDING || v.entry[APP(k_)] == OWED, v.entry[APP(k_)] = CONTAINED)));
        commit()
    :: else
    fi
}

inline deadline() {
    now++;
    if
    :: now == SOFT ->
        wantWithoutProcess();
#if FAULT == HASTY
        wantPending()
#endif
    :: now == HARD ->
        seen_late = true;
#if FAULT == NOT_WIPED
        EACH_APP(IF(v.entry[a_] == PENDING, v.entry[a_] = CONTAINED; v.owes[a_] = 0));
#else
        wantPending()
#endif
    :: else -> finish(QUARANTINED)
    fi
}

#define LEFT_THE_BUS(q) \
    d_step { !OVER && v.on[q] && !connected[q] && len(calls[q]) == 0 -> leave(q); commit(); advance() }
/* The agent watches processes. */
#define IS_GONE(q) \
    d_step { !OVER && agentUp && v.left[q] && !same[q] -> \
        v.left[q] = false; IF(v.owes[APP(q)] != 0, settle(APP(q))); commit(); advance() }

proctype supervisor() {
    mtype what = NOTHING;
    byte number = 0;
end:
    do
    :: d_step { crashes < CRASHES && !OVER -> die(); advance() }
    :: atomic { ask?SIGN_IN -> SAY(signIn()); d_step { advance() } }
    :: atomic { ask?SIGN_OUT -> d_step { signOut(); advance() } }
    :: atomic { ask?END_QUARANTINE -> d_step { endQuarantine() } }
    :: CALL(0)
    :: CALL(1)
    :: atomic { forged?number -> d_step {
        /* The bus names the sender, and it is not who registered. */
#if FAULT == FORGERY
        IF(BARRIER && v.on[number] && !v.acked[number],
            assert(S2);
            v.acked[number] = true; settle(APP(number)); commit(); advance());
#endif
        number = 0 } }
    :: LEFT_THE_BUS(0)
    :: LEFT_THE_BUS(1)
    :: IS_GONE(0)
    :: IS_GONE(1)
    :: atomic { report?CONTAIN -> d_step { contained(); advance() } }
    :: atomic { slice?what -> d_step { sliceSaid(what); what = NOTHING; advance() } }
    :: atomic { report?CLEAR_HOLDERS -> d_step { cancelTask(); finish(READY); gate() } }
    :: atomic { report?AGENT_IS_NEW -> d_step { IF(v.phase == QUARANTINED, wantPending()); advance() } }
    :: d_step { late != NOTHING && !agentUp -> late = NOTHING; lateApp = 0 }
    :: atomic { late != NOTHING && agentUp -> d_step {
        /* An agent has a number, and only the present one is heard. */
#if FAULT == LAST_AGENT
        if
        :: late == task && task == CONTAIN && lateApp == taskApp -> contained(); advance()
        :: late == task && task == CLEAR_HOLDERS -> cancelTask(); finish(READY); gate()
        :: else
        fi;
#endif
        late = NOTHING; lateApp = 0 } }
    :: atomic { tick?_ -> d_step { deadline(); advance() } }
    od
}
