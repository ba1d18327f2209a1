import Authoring
import CatalogPublisher
import Console
import PluginCore

/// The `bundletool pack` command.
enum PackCommand: ProgramCommand {
    static let declaration = Command(
        "pack", arguments: [.required("plugin-dir", kind: .folder)],
        options: LibraryOption.declarations + [
            .value("manifest", short: "m", placeholder: "file", kind: .file(ending: ".json")),
            .value("resources", short: "r", placeholder: "dir", kind: .folder),
            .value("output", short: "o", placeholder: "dir", default: ".", kind: .folder), ConverterOption.declaration,
            DependencyOption.declaration, DependencyOption.hostLibrary, .flag("strict"), .flag("interface"),
        ] + SigningOptions.declarations(.optional))

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
