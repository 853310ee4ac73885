/* Apps, agent, people, impostor, clock. */

/* The client library takes an account, and the app begins to write. */
inline take(number) {
    assert(L3 || holds[p] == 0 || holds[p] == number); /* a missed sign-out was repaired first */
    holds[p] = number; state[p] = USING; disk[APP(p)] = disk[APP(p)] | BIT(number); holder = true;
    IF(number == v.epoch && v.phase != READY, seen_used[APP(p)] = true)
}

inline obey(number) { target[p] = number; state[p] = TO_CLEAR }

proctype participant(byte p) provided (!OVER) {
    mtype what = NOTHING;
    byte x = 0;
end:
    do
    :: atomic { state[p] == OFF && !v.on[p] && empty(calls[p]) && (!OF_TURN(p) || isOpen) ->
        alive[p] = true; connected[p] = true; calls[p]!REGISTER,0; state[p] = JOINING }
    :: atomic { state[p] == OFF_BUS && !v.on[p] && empty(calls[p]) ->
        connected[p] = true; calls[p]!REGISTER,0; state[p] = JOINING }
    :: atomic { state[p] != STUCK && nempty(mail[p]) -> mail[p]?what,x;
        if
        :: what == MUST_CLEAR -> obey(x)
        :: what == WELCOME && x != 0 -> take(x)
        :: what == WELCOME && x == 0 -> holds[p] = 0; state[p] = IDLE
        :: what == ACCEPTED || what == REFUSED ->
#if FAULT == FLUSH_AFTERWARDS
            IF(holds[p] != 0, disk[APP(p)] = disk[APP(p)] | BIT(holds[p]); holds[p] = 0);
#endif
            target[p] = 0; state[p] = IDLE
        :: what == NO_REPLY && state[p] == JOINING -> calls[p]!REGISTER,0
        :: what == NO_REPLY && state[p] == ACKNOWLEDGING -> state[p] = TO_ACKNOWLEDGE
        fi;
        what = NOTHING; x = 0 }
    /* A signal is heard, or the properties are read: either is enough, and either can come at any time. */
    :: atomic { state[p] == IDLE && v.phase == IN_USE -> take(v.epoch) }
    :: atomic { (state[p] == IDLE || state[p] == USING) && BARRIER && !v.acked[p] -> obey(v.epoch) }
    :: atomic { state[p] == USING && (v.phase == READY || (v.phase == IN_USE && v.epoch != holds[p])) ->
#if FAULT == DEAF
        IF(v.phase == IN_USE, take(v.epoch)) }
#else
        obey(holds[p]) }
#endif
    /* What the worker does reaches the disk and the clipboard at any time, also when the bus is gone. */
    :: atomic { holds[p] != 0 && ((disk[APP(p)] & BIT(holds[p])) == 0 || !holder) ->
        disk[APP(p)] = disk[APP(p)] | BIT(holds[p]); holder = true }
    :: atomic { state[p] == TO_CLEAR ->
        /* Apps write to what they share while they clear. */
        IF(BARRIER && (holds[p] != 0 || disk[APP(p)] != 0), holder = true);
        disk[APP(p)] = 0;
#if FAULT != FLUSH_AFTERWARDS
        holds[p] = 0;
#endif
        state[p] = TO_ACKNOWLEDGE }
    :: atomic { state[p] == TO_ACKNOWLEDGE && nfull(calls[p]) -> calls[p]!ACKNOWLEDGE,target[p]; state[p] = ACKNOWLEDGING }
    /* Impatient apps say it again. */
    :: atomic { state[p] == ACKNOWLEDGING && mishaps < MISHAPS && nfull(calls[p]) -> mishaps++; calls[p]!ACKNOWLEDGE,target[p] }
    :: atomic { alive[p] && mishaps < MISHAPS -> d_step { mishaps++; dead(p) } }
    :: atomic { connected[p] && holds[p] != 0 && mishaps < MISHAPS ->
        mishaps++; connected[p] = false; same[p] = true; target[p] = 0;
        do :: mail[p]?_,_ :: empty(mail[p]) -> break od;
        state[p] = OFF_BUS }
#ifdef LIVENESS
    :: atomic { state[p] == USING || state[p] == TO_CLEAR -> state[p] = STUCK }
#endif
    od
}

proctype agent() provided (!OVER) {
end:
    do
    :: atomic { task == CONTAIN && !killed ->
        assert(L2 || seen_late || seen_alone[taskApp] || v.phase == QUARANTINED); /* who answers in time is never stopped */
        d_step { EACH_PROCESS(IF(doomed[k_], dead(k_))); killed = true } }
    :: atomic { task == CONTAIN && killed -> IF(LISTED(taskApp), disk[taskApp] = 0); report!CONTAIN }
    :: atomic { task == CLEAR_HOLDERS -> holder = false; report!CLEAR_HOLDERS }
    :: atomic { agentUp && agentDeaths < AGENT_DEATHS -> agentDeaths++; agentUp = false; cancelTask() }
    /* It has done what it was asked, and its answer outlives it. */
    :: atomic { agentDeaths < AGENT_DEATHS && late == NOTHING && task == CONTAIN && killed ->
        IF(LISTED(taskApp), disk[taskApp] = 0); late = CONTAIN; lateApp = taskApp;
        agentDeaths++; agentUp = false; cancelTask() }
    :: atomic { agentDeaths < AGENT_DEATHS && late == NOTHING && task == CLEAR_HOLDERS ->
        holder = false; late = CLEAR_HOLDERS; agentDeaths++; agentUp = false; cancelTask() }
    :: atomic { !agentUp -> agentUp = true; report!AGENT_IS_NEW }
#ifdef LIVENESS
    :: break /* it hangs for good */
#endif
    od
}

/* One write ends all that runs as the turn's user, and nothing starts as that user any more. Its word can take its time. */
proctype kernel() provided (!OVER) {
end:
    do
    :: atomic { killing -> isOpen = false;
        d_step { EACH_PROCESS(IF(OF_TURN(k_), dead(k_); disk[APP(k_)] = 0)) }; slice!EMPTY }
    :: atomic { killing && stubborn < 1 -> stubborn++; isOpen = false; slice!POPULATED }
    od
}

proctype people() {
end:
    do
    :: ask!SIGN_IN
    :: ask!SIGN_OUT
    :: ask!END_QUARANTINE
    od
}

proctype impostor() {
end:
    do
    :: forged!0
    :: forged!1
    od
}

proctype clock() {
end:
    do
#if FAULT == NO_LIMIT
    :: v.phase == CLEARING && now < HARD -> tick!true
#else
    :: v.phase == CLEARING && now < ABSOLUTE -> tick!true
#endif
    od
}
