import Console
import PluginCore

/// The `bundletool inspect` command.
enum InspectCommand {
    static let declaration = Command(
        "inspect", summary: "Show what is in a package.",
        discussion: """
            Nothing is unpacked and no code is run. Of a library it shows what its file says about itself, and whether a \
            host of this release would install it, in the host's own words.

            Ends with 0 when the package can be read, whatever is said of its library, and with 77 when it declares an app \
            group of another team.
            """,
        arguments: [.required("package.zip", help: "The package.")],
        options: [ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary],
        examples: [
            .init("bundletool inspect catalog/com.example.app.shop-1.1.0.zip"),
            .init(
                "bundletool inspect catalog/com.example.app.shop-1.1.0.zip -d catalog/com.example.lib.money-1.0.0.zip",
                "One that is linked with the library of another bundle:"),
            .init("bundletool --json inspect com.example.app.shop-1.1.0.zip", "For a script:"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> PackageInspection {
        try PackageInspection(
            of: FilePath(parsed.argument("package.zip") ?? ""), converters: try ConverterOption.names(in: parsed),
            dependencies: DependencyOption.packages(in: parsed),
            hostLibraries: DependencyOption.hostLibraries(in: parsed))
    }
}
