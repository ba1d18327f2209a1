import Console
import HostSystem
import PluginCore

/// The options that name built libraries, each for this machine's platform or, after its triple, for another one.
enum LibraryOption {
    static let declarations: [Command.Option] = [
        .value(
            "library", short: "l", placeholder: "file", repeatable: true,
            kind: .file(ending: ".so"),
            help:
                "The plugin's built library; by default, a folder with Package.swift is built in release configuration. "
                + "A library for another platform follows a triple: \(Platform.all[0])=libShop.so."),
        .value(
            "extension-library", placeholder: "file", repeatable: true,
            kind: .file(ending: ".so"),
            help:
                "The built library of an extension, if it does not lie beside the plugin's. It may follow a triple."
        ),
    ]

    /// The libraries of a command line.
    struct Libraries {
        /// The plugin's library for this machine.
        var own: FilePath?
        var ownExtensions: [FilePath] = []
        var others: [PlatformLibraries] = []
    }

    /// Returns the libraries of a command line.
    ///
    /// - Throws: ``UsageError`` for an unknown platform, two libraries for one, or an extension's library without the plugin's.
    static func libraries(in parsed: ParsedCommand) throws(UsageError) -> Libraries {
        var found: [String: FilePath] = [:]
        for value in parsed.values("library") {
            let (platform, path) = try read(value, of: "library", parsed)
            guard found.updateValue(path, forKey: platform) == nil else {
                throw UsageError(
                    .invalidValue, subject: "--library", expected: ["one library for each platform"],
                    command: ["bundletool", "pack"], value: value)
            }
        }
        var extensions: [String: [FilePath]] = [:]
        for value in parsed.values("extension-library") {
            let (platform, path) = try read(value, of: "extension-library", parsed)
            guard platform == Platform.triple || found[platform] != nil else {
                throw parsed.missing("--library", adding: "--library", "\(platform)=<file>")
            }
            extensions[platform, default: []].append(path)
        }
        var libraries = Libraries(
            own: found.removeValue(forKey: Platform.triple), ownExtensions: extensions[Platform.triple] ?? [])
        libraries.others = found.sorted { $0.key < $1.key }.map {
            PlatformLibraries(platform: $0.key, library: $0.value, extensionLibraries: extensions[$0.key] ?? [])
        }
        return libraries
    }

    /// Returns the platform and the path in a value. The path of a file may contain an equals sign, but no triple contains a slash.
    private static func read(
        _ value: String, of option: String, _ parsed: ParsedCommand
    ) throws(UsageError) -> (platform: String, path: FilePath) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].contains("/") else { return (Platform.triple, FilePath(value)) }
        guard parts[0] == Platform.triple || Platform.all.contains(parts[0]), !parts[1].isEmpty else {
            throw UsageError(
                .invalidValue, subject: "--\(option)",
                expected: (["the path of a file (./file if its name has an equals sign)"]
                    + Platform.all.map { "\($0)=<file>" }),
                command: ["bundletool", "pack"], value: value)
        }
        return (parts[0], FilePath(parts[1]))
    }
}
