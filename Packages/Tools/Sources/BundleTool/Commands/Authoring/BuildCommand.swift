import Console
import PluginAuthoring
import PluginCore

/// The argument with a plugin's folder.
let projectArgument = Command.Argument.optional(
    "plugin-dir", help: "The plugin's folder; by default the working folder.")

/// The option for an optimized build.
let releaseOption = Command.Option.flag("release", help: "Build with optimizations.")

extension ParsedCommand {
    /// The configuration that the option for an optimized build chooses.
    var configuration: PluginProject.Configuration { flag("release") ? .release : .debug }
}

/// The `bundletool build` command.
enum BuildCommand {
    static let declaration = Command(
        "build", summary: "Build a plugin with the SDK of this program.",
        discussion: """
            Runs "swift build" with a toolset that tells the compiler where the SDK's modules and libraries are. The toolset is \
            .build/atrium/toolset.json in the plugin's folder, for use with "swift build --toolset" and by editors.
            """,
        arguments: [projectArgument], options: [releaseOption],
        examples: [.init("bundletool build"), .init("bundletool build Hello --release")])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let project = try PluginProject.at(parsed.argument("plugin-dir"))
        let library = try project.build(parsed.configuration, isQuiet: parsed.flag("json"))
        guard !parsed.flag("json") else {
            let toolset = project.hasPackage ? project.toolset.string : nil
            return Reply(document: ["library": .string(orNull: library?.string), "toolset": .string(orNull: toolset)])
        }
        guard project.hasPackage else { return Reply(text: "This bundle has no code.\n") }
        return Reply(
            text: library.map { "Built \(printable($0.string))\n" } ?? "Built. manifest.json names no library.\n")
    }
}

/// The `bundletool test` command.
enum TestCommand {
    static let declaration = Command(
        "test", summary: "Build a plugin and run its tests with the SDK of this program.",
        discussion: "Runs \"swift test\" with the same toolset as \"bundletool build\".",
        arguments: [projectArgument],
        options: [
            releaseOption,
            .value(
                "filter", placeholder: "regex", help: "Run only tests whose names match; see \"swift test --help\"."),
        ],
        examples: [.init("bundletool test"), .init("bundletool test Hello --filter greeting")])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let project = try PluginProject.at(parsed.argument("plugin-dir"))
        let filter = parsed.value("filter").map { ["--filter", $0] } ?? []
        guard project.hasPackage else {
            return parsed.flag("json") ? Reply(document: ["passed": true]) : Reply(text: "This bundle has no code.\n")
        }
        try project.runSwift("test", parsed.configuration, filter, isQuiet: parsed.flag("json"))
        return parsed.flag("json") ? Reply(document: ["passed": true]) : Reply(text: "")
    }
}
