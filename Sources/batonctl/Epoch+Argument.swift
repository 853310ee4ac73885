public import ArgumentParser
public import Baton

extension Epoch: ExpressibleByArgument {}
