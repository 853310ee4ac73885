import ArgumentParser

/// The options that choose the bus may stand before the subcommand: `batonctl --session apps forget ID`.
///
/// Each command has them, since it is the one that uses them; so they are moved to it.
enum LeadingOptions {
    static func moved(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
        var rest = arguments[...]
        var options: [String] = []
        while let count = length(rest) {
            options += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        var command = root
        var names: [String] = []
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            names.append(word)
            command = next
            rest = rest.dropFirst()
        }
        // Without a subcommand there is nothing to take them.
        return names.isEmpty ? arguments : names + options + rest
    }

    /// Whether there is no other word.
    static func isAll(of arguments: [String]) -> Bool {
        var rest = arguments[...]
        while let count = length(rest) { rest = rest.dropFirst(count) }
        return rest.isEmpty
    }

    /// How many words the first option has; nil: it is none of these.
    private static func length(_ words: ArraySlice<String>) -> Int? {
        switch words.first {
        case "--system", "--session": 1
        case "--bus": words.count > 1 ? 2 : nil
        case let word? where word.hasPrefix("--bus="): 1
        default: nil
        }
    }
}
