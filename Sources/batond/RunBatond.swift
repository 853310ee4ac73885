import ArgumentParser

/// All of batond; returns when it has stopped.
package func runBatond() { Batond.main() }
