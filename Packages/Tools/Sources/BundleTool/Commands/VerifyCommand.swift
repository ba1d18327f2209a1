import Trust
import Console
import PluginCore
import PluginRuntime

/// The `bundletool verify` command.
enum VerifyCommand {
    static let declaration = Command(
        "verify", summary: "Hold a package, or an unpacked bundle, against its seal.",
        discussion: """
            Reads everything and tells all that is wrong, not the first fault only: files that are not sealed, that are \
            missing or that have changed, a signature that does not hold, a signer who is not believed. Nothing is \
            unpacked and no code is run.

            Ends with 0 when the bundle is what its team sealed, with 77 when it is refused, with 65 when it is no bundle.
            """,
        arguments: [.required("bundle", help: "A package, or a folder with an unpacked bundle.")],
        options: [
            .value(
                "key", short: "k", placeholder: "file", presence: .oneOf("signer"),
                help: "Believe this public key alone, in whatever team's name."),
            .value(
                "trust", placeholder: "file", presence: .oneOf("signer"),
                help: "Believe whom this trust store believes, such as a host's share/atrium/trust.json."),
            ConverterOption.declaration,
        ],
        examples: [
            .init("bundletool verify com.example.app.shop-1.1.0.zip --key team.pub"),
            .init("bundletool verify catalog/com.example.app.shop-1.1.0.zip --trust share/atrium/trust.json"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        let converters = try ConverterOption.names(in: parsed)
        let path = FilePath(parsed.argument("bundle") ?? "")
        let verification = try verification(in: parsed)
        let verdict = try BundleVerdict(of: path, by: verification, converters: converters)
        return parsed.flag("json")
            ? Reply(text: verdict.json.text(pretty: true) + "\n", status: verdict.exitStatus)
            : Reply(text: verdict.text(for: terminal), status: verdict.exitStatus)
    }

    private static func verification(in parsed: ParsedCommand) throws -> SignatureVerification {
        if let key = parsed.value("key") { return .key(try SigningOptions.publicKey(FilePath(key))) }
        let file = parsed.value("trust") ?? ""
        let bytes = try Files.bytes(
            of: FilePath(file), limit: TrustStore.sizeLimit, remedy: "name the file of a trust store")
        return .trust(try TrustStore(reading: bytes, named: file), .install, at: Environment.now())
    }
}
