import ArgumentParser

struct Apps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Text.Help.apps,
        discussion: Text.Help.example(
            "batonctl apps", "batonctl apps forget org.example.WardList",
            "batonctl apps install-scheme"),
        subcommands: [ListApps.self, ForgetApp.self, InstallScheme.self], defaultSubcommand: ListApps.self)
}
