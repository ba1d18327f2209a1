import BundleFormat
import Trust
import Console
import PluginCore
import PluginRuntime

/// The `bundletool sign` command.
enum SignCommand {
    static let declaration = Command(
        "sign", summary: "Create or replace the signature of a package.",
        discussion: """
            Lists every file of the package with size, SHA-256 and mode in \(Seal.name), signs that list with the \
            team's key, and rewrites the package in one step, if a host could open it. An existing signature is \
            replaced. The same key, content and time give the same bytes.

            The signature is in minisign's format: "minisign -V -p KEY.pub -m seal.json" verifies it too.
            """,
        arguments: [.required("package.zip", kind: .file(ending: ".zip"), help: "The package.")],
        options: SigningOptions.declarations(.required) + [
            .value(
                "output", short: "o", placeholder: "file", kind: .file(ending: ".zip"),
                help: "The signed package; by default it replaces the input."
            ),
            ConverterOption.declaration,
        ],
        examples: [
            .init("bundletool sign com.example.app.shop-1.1.0.zip --key team.key --team com.example")
        ])

    static func run(_ parsed: ParsedCommand) throws -> PackageInspection {
        let request = try SigningOptions.request(in: parsed)
        let converters = try ConverterOption.names(in: parsed)
        let package = FilePath(parsed.argument("package.zip") ?? "")
        guard case .file = Files.kind(of: package) else {
            throw PackError.notThere(package, .file, remedy: "specify a package; \"bundletool pack\" creates one")
        }
        let output = parsed.value("output").map { FilePath($0) } ?? package
        try Files.requireRoom(forFile: output)
        try request?.sealer().sign(package: package, to: output, registeredConverters: converters)
        return try PackageInspection(of: output, converters: converters)
    }
}
