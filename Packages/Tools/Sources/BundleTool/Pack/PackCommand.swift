import Authoring
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool pack` command.
enum PackCommand: ProgramCommand {
    static let declaration = Command(
        "pack", summary: "Create a package from a plugin's folder.",
        discussion: """
            Checks the manifest and the resources and lists all problems at once: violations of the manifest's rules, \
            missing layouts, invalid page layouts, string tables that are not flat objects of strings. If there are \
            none, writes the package in one step, after opening it as a host would, and replaces an older one of the \
            same name. The same content gives the same bytes.

            The library is checked as a host checks it before an install, without running it: it must be complete, \
            built for this machine, this Core and this compiler, need only what a host offers, define \
            \(PluginEntry.symbol), and contain no second copy of a shared module. Library search paths of the build \
            machine are removed from it.

            The libraries of the plugin's extensions are expected beside its own, or where --extension-library says, and are \
            checked and packed in the same way.

            A package can have libraries for several platforms: repeat --library with their triples. Those of other platforms \
            are checked as far as that is possible here: their machine, their format, and the Core and the compiler that they \
            were built with. The library for this machine must be among them, because only that one can be loaded.

            Then code of the plugin runs, with your rights: a process of its own loads the library and asks it for the routes, actions, services and extension points \
            that its code binds; each extension's library is asked for its extension point; no object is created. They are added to the package's manifest with their guards, deadlines and \
            priorities, so the manifest in the folder need not contain them. What it does contain must agree with the \
            code, except for exposures and layouts, which are decided in the manifest alone.

            Warnings report likely mistakes: texts that a layout uses or another language has, but that are missing, a \
            folder "resources" instead of "Resources", files that a desktop or an editor left. They are printed on \
            standard error, and listed in "warnings" of the JSON document.

            With --interface, the Interface of the plugin is packed as well, in a signed archive beside the package: the Swift \
            sources of the target <Name>Interface, where lib<Name>.so is the library in the manifest. "bundletool publish" publishes both, \
            and other teams fetch the Interface with "bundletool add". It may import PluginCore and modules of Swift only.

            With --key and --team the package is signed, as by "bundletool sign"; hosts install only signed packages.
            """,
        arguments: [.required("plugin-dir", kind: .folder, help: "The folder with manifest.json and Resources/.")],
        options: LibraryOption.declarations + [
            .value(
                "manifest", short: "m", placeholder: "file",
                kind: .file(ending: ".json"), help: "The manifest; by default <plugin-dir>/manifest.json."),
            .value(
                "resources", short: "r", placeholder: "dir", kind: .folder,
                help: "The resources; by default <plugin-dir>/Resources."),
            .value(
                "output", short: "o", placeholder: "dir", default: ".",
                kind: .folder, help: "The folder for the package; created if it does not exist."),
            ConverterOption.declaration, DependencyOption.declaration, DependencyOption.hostLibrary,
            .flag("strict", help: "Treat warnings as errors."),
            .flag("interface", help: "Pack the plugin's Interface, too, for other teams; needs --key and --team."),
        ] + SigningOptions.declarations(.optional),
        examples: [
            .init(
                "bundletool pack Plugins/Shop -l .build/release/libShop.so -o catalog --key team.key --team com.example",
                "Put the newest Shop into a catalog:"),
            .init(
                "bundletool pack Plugins/Shop -l libShop.so -l aarch64-unknown-linux-gnu=arm/libShop.so",
                "For two platforms:"),
            .init("bundletool pack Plugins/Theme", "Pack a bundle without code:"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let converters = try ConverterOption.names(in: parsed)
        let (dependencies, hostLibraries) = (parsed.files("dependency"), parsed.files("host-library"))
        let libraries = try LibraryOption.libraries(in: parsed)
        let folder = parsed.file(argument: "plugin-dir")
        let sealer = try SigningOptions.request(in: parsed)?.sealer()
        if parsed.flag("interface"), sealer == nil {
            throw parsed.missing("--key <file>", adding: "--interface", "--key <file>", "--team <id>")
        }
        let packer = Packer(
            folder: folder, library: try libraries.own.library ?? build(folder),
            extensionLibraries: libraries.own.extensionLibraries, others: libraries.others,
            manifest: parsed.file("manifest"), resources: parsed.file("resources"), converters: converters,
            dependencies: dependencies, hostLibraries: hostLibraries, sealer: sealer, isStrict: parsed.flag("strict"))
        var (additions, warnings): (ManifestAdditions, [String]) = (ManifestAdditions(), [])
        let output = FilePath(parsed.value("output") ?? ".")
        let package = try packer.pack(into: output, warn: { warnings.append($0) }, added: { additions = $0 })
        let inspection = try PackageInspection(
            of: package, converters: converters, dependencies: dependencies, hostLibraries: hostLibraries)
        var text = inspection.summary(for: terminal, adding: additions)
        var json = inspection.json(adding: additions, warnings: warnings)
        if parsed.flag("interface"), let sealer {
            let sources = try InterfaceSources(of: inspection.manifest, in: folder)
            let interface = try InterfaceArchive.write(
                sources.files, module: sources.module, of: inspection.manifest.identity, sealedBy: sealer, into: output)
            text += "\(printable(interface.path.string))\n  the Interface \(interface.module)\n"
            json = json + JSONText(["interface": JSONText(["path": interface.path, "module": interface.module])])
        }
        return Answer(text: text, json: json, note: warnings.map { "warning: \(printable($0))\n" }.joined())
    }

    /// Builds the library for this machine, if the plugin's folder is a package.
    private static func build(_ folder: FilePath) throws -> FilePath? {
        // Anything that is missing is reported by the packer.
        guard PluginProject(folder: folder).hasPackage, Files.kind(of: folder.appending("manifest.json")) != nil else {
            return nil
        }
        return try PluginProject.at(folder.string).build(.release, isQuiet: true)
    }
}
