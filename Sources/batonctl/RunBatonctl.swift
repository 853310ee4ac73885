import ArgumentParser

/// All of batonctl; returns when the command has ended well.
package func runBatonctl() async { await Batonctl.main() }
