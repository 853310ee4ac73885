import ArgumentParser
import DevelopmentProvider

struct AddressOptions: ParsableArguments {
    @Option(help: "A loopback address: 127.0.0.1, ::1 or localhost.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0: a free one.")
    var port = 0

    @Option(help: ArgumentHelp("The host in the provider's addresses, such as localhost.", valueName: "name"))
    var hostName: String?

    @Option(help: ArgumentHelp("Speak https with this certificate chain (PEM).", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Sign with this RSA key (PEM), so that tokens stay valid over restarts; without this, with a fresh one.",
            valueName: "file"))
    var signingKey: String?

    func apply(to options: inout ProviderOptions) throws {
        options.host = host
        options.port = port
        options.hostName = hostName
        options.certificateFile = certificate
        options.keyFile = key
        options.keys = try signingKey.map { try ProviderOptions.signingKeys(file: $0) }
    }
}
