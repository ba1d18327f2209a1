import Console
import PluginCore

/// The option `--dependency`, which names the packages of the libraries that a plugin links.
enum DependencyOption {
    static let declaration = Command.Option.value(
        "dependency", short: "d", placeholder: "package.zip", repeatable: true,
        kind: .file(ending: ".zip"),
        help:
            "A package of kind lib that this one is linked with; used only if the manifest requires it."
    )

    /// The option `--host-library`, which names a library that only the plugin's own host offers.
    static let hostLibrary = Command.Option.value(
        "host-library", placeholder: "file", repeatable: true,
        kind: .file(ending: ".so"), help: "A dynamic library of your host that this plugin is linked with.")

    static func hostLibraries(in parsed: ParsedCommand) -> [FilePath] {
        parsed.values("host-library").map { FilePath($0) }
    }

    static func packages(in parsed: ParsedCommand) -> [FilePath] {
        parsed.values("dependency").map { FilePath($0) }
    }
}
