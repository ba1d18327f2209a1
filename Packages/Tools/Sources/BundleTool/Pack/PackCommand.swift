import Authoring
import BundleFormat
import CatalogPublisher
import Console
import HostSystem
import PluginCore
import Preflight

/// The `bundletool pack` command.
let packCommand = ProgramCommand(
    "pack", arguments: [.required("plugin-dir", kind: .folder)],
    options: LibraryOption.declarations + [
        .value("manifest", short: "m", kind: .json),
        .value("resources", short: "r", kind: .folder),
        .value("output", short: "o", default: ".", kind: .folder), ConverterOption.declaration,
        DependencyOption.declaration, DependencyOption.hostLibrary, .flag("strict"), .flag("interface"),
    ] + SigningOptions.declarations(.optional)
) { parsed, terminal in
    let converters = try ConverterOption.names(in: parsed)
    let hostLibraries = parsed.files("host-library")
    let (own, others) = try LibraryOption.libraries(in: parsed)
    let folder = parsed.file(argument: "plugin-dir")
    let sealer = try SigningOptions.request(in: parsed)?.sealer()
    if parsed.flag("interface"), sealer == nil {
        throw parsed.missing("--key <file>", adding: "--interface", "--key <file>", "--team <id>")
    }
    let project = PluginProject(folder: try CurrentFolder.resolve(folder.string, in: ["bundletool", "pack"]))
    let dependencies = try project.linkedPackages(besides: parsed.files("dependency"))
    let packer = Packer(
        folder: folder, library: try own.library ?? build(folder), extensionLibraries: own.extensionLibraries,
        ownPlatform: own.platform, others: others, manifest: parsed.file("manifest"),
        resources: parsed.file("resources"), converters: converters,
        dependencies: dependencies, hostLibraries: hostLibraries, sealer: sealer, isStrict: parsed.flag("strict"))
    var (additions, warnings) = (ManifestAdditions(), [String]())
    let output = parsed.file("output") ?? "."
    let package = try packer.pack(into: output, warn: { warnings.append($0) }, added: { additions = $0 })
    let inspection = try PackageInspection(
        of: package, converters: converters, dependencies: dependencies, hostLibraries: hostLibraries)
    var text = inspection.summary(for: terminal, adding: additions)
    let symbols = try DebugFiles.keep(
        of: packer.libraries(of: inspection.manifest), in: output.appending("symbols"))
    if let symbols { text += "debug files      \(printable(symbols))\n" }
    var json = inspection.json(adding: additions, warnings: warnings) + ["symbols": symbols]
    if parsed.flag("interface"), let sealer {
        let manifest = inspection.manifest
        let sources = try InterfaceSources(of: manifest, in: folder, [packer.own] + packer.others)
        let interface = try InterfaceArchive.write(
            sources.files, module: sources.module, isLibrary: manifest.kind == .lib, of: manifest.identity,
            sealedBy: sealer, into: output)
        text += "\(printable(interface.path))\n  \(interface.name)\n"
        json = json + ["interface": JSONText(["path": interface.path, "module": interface.module])]
    }
    return Answer(text: text, json: json, note: warnings.map { "warning: \(printable($0))\n" }.joined())
}

/// Builds the library for this machine, if the plugin's folder is a package.
private func build(_ folder: FilePath) throws -> FilePath? {
    // Anything that is missing is reported by the packer.
    let project = PluginProject(folder: folder)
    guard project.hasPackage, project.manifest.exists else { return nil }
    let sources = try PluginProject.at(folder.string)
    try sources.writeTexts()
    return try sources.build(.release, isQuiet: true)
}

/// The options that name built libraries, each for this machine's platform or, after its triple, for another one.
///
/// Several libraries for a platform are those of several SDKs, and are told apart by the compiler and the Core ABI in their files.
enum LibraryOption {
    static let declarations: [Command.Option] = [
        .value("library", short: "l", repeatable: true, kind: .library),
        .value("extension-library", repeatable: true, kind: .library),
    ]

    /// Returns the libraries of a command line.
    ///
    /// - Throws: ``UsageError`` for an unknown platform, two libraries for the same hosts, or an extension's library without the plugin's;
    ///   ``CommandError`` for one of several libraries for a platform that cannot be read, or names no build.
    static func libraries(
        in parsed: ParsedCommand
    ) throws -> (own: PlatformLibraries, others: [PlatformLibraries]) {
        let named = try parsed.values("library").map { ($0, try read($0, of: "library", parsed)) }
        let several = Set(Dictionary(grouping: named, by: \.1.platform).filter { $0.value.count > 1 }.keys)
        func folder(of library: (platform: String, path: FilePath)) throws -> String {
            guard several.contains(library.platform) else { return library.platform }
            let content = try Files.bytes(of: library.path, limit: LibraryPreflight.sizeLimit, remedy: "library")
            guard let build = LibraryPreflight.build(of: content, for: library.platform) else {
                throw CommandError(.badInput, library.path, code: "buildUnknown", reason: "buildUnknown")
            }
            return build.folder
        }
        var found: [String: FilePath] = [:]
        for (value, library) in named {
            guard found.updateValue(library.path, forKey: try folder(of: library)) == nil else {
                throw parsed.invalid("--library", value, ["a library for other hosts than those before it"])
            }
        }
        var extensions: [String: [FilePath]] = [:]
        for value in parsed.values("extension-library") {
            let library = try read(value, of: "extension-library", parsed)
            let folder = try folder(of: library)
            guard folder == Platform.triple || found[folder] != nil else {
                throw parsed.missing("--library", adding: "--library", "\(library.platform)=<file>")
            }
            extensions[folder, default: []].append(library.path)
        }
        func libraries(for folder: String) -> PlatformLibraries {
            .init(platform: folder, library: found[folder], extensionLibraries: extensions[folder] ?? [])
        }
        let own = several.contains(Platform.triple) ? LibraryBuild.host.folder : Platform.triple
        return (libraries(for: own), found.keys.filter { $0 != own }.sorted().map(libraries))
    }

    /// Returns the platform and the path in a value. The path of a file may contain an equals sign, but no triple contains a slash.
    private static func read(
        _ value: String, of option: String, _ parsed: ParsedCommand
    ) throws -> (platform: String, path: FilePath) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].contains("/") else { return (Platform.triple, FilePath(value)) }
        guard parts[0] == Platform.triple || Platform.all.contains(parts[0]), !parts[1].isEmpty else {
            let file = "the path of a file (./file if its name has an equals sign)"
            throw parsed.invalid("--\(option)", value, [file] + Platform.all.map { "\($0)=<file>" })
        }
        return (parts[0], FilePath(parts[1]))
    }
}

/// The option `--converter`, which names the converters that a plugin's hosts register in addition to the standard ones.
enum ConverterOption {
    static let declaration = Command.Option.value("converter", short: "c", placeholder: "name", repeatable: true)

    /// Returns the names from the command line.
    ///
    /// - Throws: `UsageError` for a name that cannot stand between `<` and `>` in a pattern.
    static func names(in parsed: ParsedCommand) throws -> [String] {
        let names = parsed.values("converter")
        for name in names where name.wholeMatch(of: /[A-Za-z0-9_]+/) == nil {
            throw parsed.invalid("--converter", name)
        }
        return names
    }
}

/// The option `--dependency`, which names the packages of the bundles that a plugin requires or calls, such as libraries that it links.
enum DependencyOption {
    static let declaration = Command.Option.value(
        "dependency", short: "d", placeholder: "package.zip", repeatable: true, kind: .package)

    /// The option `--host-library`, which names a library that only the plugin's own host offers.
    static let hostLibrary = Command.Option.value("host-library", repeatable: true, kind: .library)
}
