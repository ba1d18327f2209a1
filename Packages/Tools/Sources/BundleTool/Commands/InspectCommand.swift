import Console
import PluginCore

/// The `bundletool inspect` command.
enum InspectCommand {
    static let declaration = Command(
        "inspect", summary: "Show what is in a package.",
        discussion: """
            Unpacks nothing and runs no code. For a library, shows what its file declares, and whether a host of this \
            release would install it, with the host's own messages. Of a package for several platforms, shows the architectures \
            of all libraries, and which platforms a part of it leaves out.

            Exits with 0 if the package can be read, even if its library is not usable, and with 77 if it declares an \
            app group of another team.
            """,
        arguments: [.required("package.zip", kind: .file(ending: ".zip"), help: "The package.")],
        options: [ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary],
        examples: [
            .init("bundletool inspect catalog/com.example.app.shop-1.1.0.zip"),
            .init(
                "bundletool inspect catalog/com.example.app.shop-1.1.0.zip -d catalog/com.example.lib.money-1.0.0.zip",
                "A package that is linked with the library of another bundle:"),
            .init("bundletool --json inspect com.example.app.shop-1.1.0.zip", "For a script:"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> PackageInspection {
        try PackageInspection(
            of: FilePath(parsed.argument("package.zip") ?? ""), converters: try ConverterOption.names(in: parsed),
            dependencies: DependencyOption.packages(in: parsed),
            hostLibraries: DependencyOption.hostLibraries(in: parsed))
    }
}
