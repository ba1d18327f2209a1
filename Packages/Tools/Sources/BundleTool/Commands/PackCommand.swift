import Console
import PluginCore

/// The `bundletool pack` command.
enum PackCommand {
    static let declaration = Command(
        "pack", summary: "Make a package out of a plugin's folder.",
        discussion: """
            Reads the manifest and the resources and lists all of their problems at once: what breaks the manifest's \
            rules, layouts that a route names and that are not there, pages that are no page layouts, string tables that \
            are not flat objects of texts. Only then is the package written, and in one step, once it was opened as a host opens \
            it, put in the place of an older one of its name. The same content gives the same bytes.

            The library is judged as a host judges it before it is installed, without running it: whether it is whole, built \
            for this machine, this Core and this compiler, needs only what a host offers, defines \(PluginEntry.symbol), \
            and holds no second copy of what must be there once. The folders of the build machine that a toolchain has \
            libraries looked for in are taken out of it.

            Warnings name what a host reads and the author hardly means: texts that a layout asks for or another language has \
            and that are missing, a folder "resources" in place of "Resources", files that a desktop or an editor left. They are \
            on standard error, and in "warnings" of the JSON document.

            With --key and --team the package is signed, as "bundletool sign" does it; no host installs one that is not.
            """,
        arguments: [.required("plugin-dir", help: "The folder with manifest.json and Resources/.")],
        options: [
            .value(
                "library", short: "l", placeholder: "file",
                help: "The plugin's built library; a bundle with code needs it, a bundle of kind assets takes none."),
            .value(
                "manifest", short: "m", placeholder: "file", help: "The manifest, if not <plugin-dir>/manifest.json."),
            .value(
                "resources", short: "r", placeholder: "dir", help: "The resources, if not <plugin-dir>/Resources."),
            .value(
                "output", short: "o", placeholder: "dir", default: ".",
                help: "Where the package goes; made if it is not there."),
            ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary,
            .flag("strict", help: "Pack nothing when there is a warning."),
        ] + SigningOptions.declarations(.optional),
        examples: [
            .init(
                "bundletool pack Plugins/Shop -l .build/release/libShop.so -o catalog --key team.key --team com.example",
                "Put the newest Shop into a catalog:"),
            .init("bundletool pack Plugins/Theme", "Pack a bundle without code:"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> (inspection: PackageInspection, warnings: [String]) {
        let converters = try ConverterOption.names(in: parsed)
        let dependencies = DependencyOption.packages(in: parsed)
        let hostLibraries = DependencyOption.hostLibraries(in: parsed)
        let packer = Packer(
            folder: FilePath(parsed.argument("plugin-dir") ?? ""),
            library: parsed.value("library").map { FilePath($0) },
            manifest: parsed.value("manifest").map { FilePath($0) },
            resources: parsed.value("resources").map { FilePath($0) }, converters: converters,
            dependencies: dependencies, hostLibraries: hostLibraries,
            sealedBy: try SigningOptions.request(in: parsed)?.sealer(), isStrict: parsed.flag("strict"))
        var warnings: [String] = []
        let package = try packer.pack(into: FilePath(parsed.value("output") ?? ".")) { warnings.append($0) }
        let inspection = try PackageInspection(
            of: package, converters: converters, dependencies: dependencies, hostLibraries: hostLibraries)
        return (inspection, warnings)
    }
}
