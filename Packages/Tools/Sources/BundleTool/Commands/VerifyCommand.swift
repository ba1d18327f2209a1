import BundleFormat
import Trust
import Console
import PluginCore
import PluginRuntime

/// The `bundletool verify` command.
enum VerifyCommand {
    static let declaration = Command(
        "verify", summary: "Check a package, or an unpacked bundle, against its seal.",
        discussion: """
            Reads everything and reports every problem, not only the first: files that are not sealed, missing or \
            changed, an invalid signature, an untrusted signer. Unpacks nothing and runs no code.

            Exits with 0 if the bundle matches its seal, with 77 if it is refused, with 65 if it is not a bundle.
            """,
        arguments: [
            .required(
                "bundle", kind: .either([.folder, .file(ending: ".zip")]),
                help: "A package, or a folder with an unpacked bundle.")
        ],
        options: [
            .value(
                "key", short: "k", placeholder: "file", presence: .oneOf("signer"),
                kind: .file(ending: ".pub"), help: "Trust only this public key, for any team."),
            .value(
                "trust", placeholder: "file", presence: .oneOf("signer"),
                kind: .file(ending: ".json"),
                help: "Trust the teams in this trust store, such as a host's share/atrium/trust.json."),
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
        let report = try BundleReport(of: path, by: verification, converters: converters)
        return parsed.flag("json")
            ? Reply(text: report.json.text(pretty: true) + "\n", status: report.exitStatus)
            : Reply(text: report.text(for: terminal), status: report.exitStatus)
    }

    private static func verification(in parsed: ParsedCommand) throws -> SignatureVerification {
        if let key = parsed.value("key") { return .key(try SigningOptions.publicKey(FilePath(key))) }
        let file = parsed.value("trust") ?? ""
        let bytes = try Files.bytes(
            of: FilePath(file), limit: TrustStore.sizeLimit, remedy: "specify the file of a trust store")
        return .trust(try TrustStore(reading: bytes, named: file), .install, at: Environment.now())
    }
}
