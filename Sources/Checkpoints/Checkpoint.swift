/// A step of a program at which it can be killed, to see what its restart makes of that.
///
/// Only a debug build knows how: `BATON_KILL_AT=PROGRAM:NUMBER:FILE` ends that program with SIGKILL when it comes to its
/// step of that number, counted from 1, and leaves the step's name in the file. A file that is there already has had its
/// kill, so that the next process of that name lives. `PROGRAM:NUMBER:FILE:BEGINNING` counts only steps whose names begin
/// so. `BATON_STOP_AT` does the same with SIGSTOP, so that something can be done to the program there before it goes on, and
/// `BATON_SPIN_AT` has it go round for ever, as one that has lost its way does.
/// In a release build this is nothing at all.
#if DEBUG
public func checkpoint(_ step: @autoclosure () -> String) {
    for order in KillOrder.given { order.pass(step) }
}
#else
@inlinable
public func checkpoint(_ step: @autoclosure () -> String) {}
#endif
