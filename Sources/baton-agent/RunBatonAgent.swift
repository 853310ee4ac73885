import ArgumentParser

/// All of baton-agent; returns when it has stopped.
package func runBatonAgent() async { await BatonAgent.main() }
