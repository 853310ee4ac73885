/*
 * The barrier, a second time: written from the rules of the contract and not from the Swift state machine, so that a mistake
 * would have to be made twice. `Tests/Model/check` has spin try every order of events in it.
 *
 * Each process stands for what runs on its own at a terminal:
 *   supervisor      batond: one event, its journal write, and then what it tells others; killed before and after each.
 *   participant(p)  a process of an app with the client library in it. It can die, leave the bus and live on, be slow,
 *                   say things twice, or (for liveness) stop for good. What it wrote stays on the disk when it dies.
 *   agent           baton-agent: kills, wipes, clears what programs share. It can die in the middle and come back.
 *   kernel          Linux, which ends the slice of a turn's user (WORLD=4) and says when it is empty.
 *   people          workers who sign in and out at any time, and an administrator who ends a quarantine.
 *   impostor        another program of the same user that acknowledges for others.
 *   clock           the deadlines of a barrier as explicit ticks: soft, hard, absolute.
 *
 * Signals are hints, so none is modelled: whoever may hear one may hear it at any time or never. A name that begins with
 * `seen_` is the observer's: no process acts on it. Assertions and formulas are named after the invariants.
 *
 * Left out: the phase signing-in, Extend (a slow clock has the same effect), Leave, several registrations of one connection,
 * a journal that cannot be written, and how a wipe stays inside its folders (S8). Those are tested on the real parts.
 */

#include "world.pml"
#include "supervisor.pml"
#include "programs.pml"

init {
    atomic {
        v.phase = READY; j.phase = READY;
        EACH_APP(v.entry[a_] = NONE; j.entry[a_] = NONE);
        run supervisor(); run participant(0); run participant(1); run agent(); run people(); run clock();
#ifdef SLICES
        run kernel();
#endif
#ifndef LIVENESS
        run impostor() /* what it says changes nothing, so it cannot keep a barrier from ending */
#endif
    }
}

#ifdef LIVENESS
#define clearing (j.phase == CLEARING)
/* Every barrier ends, whatever apps and agent do: in ready (cleared, contained, owed) or in quarantine. */
ltl L1 { [] (clearing -> <> !clearing) }
#endif
