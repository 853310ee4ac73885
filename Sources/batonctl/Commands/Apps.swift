import ArgumentParser

struct Apps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.apps,
        discussion: Text.Help.example("batonctl apps", "batonctl apps forget org.example.WardList"),
        subcommands: [ListApps.self, ForgetApp.self], defaultSubcommand: ListApps.self)
}
