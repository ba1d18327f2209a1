import Console
import PluginCore

/// `--dependency FILE`: packages of the libraries that a plugin is linked with.
enum DependencyOption {
    static let declaration = Command.Option.value(
        "dependency", short: "d", placeholder: "package.zip", repeatable: true,
        help:
            "A package of kind lib whose library this one is linked with; it counts as far as the manifest requires it."
    )

    static func packages(in parsed: ParsedCommand) -> [FilePath] {
        parsed.values("dependency").map { FilePath($0) }
    }
}
