import Console
import PluginAuthoring
import PluginCore

/// The argument with a plugin's folder.
let projectArgument = Command.Argument.optional(
    "plugin-dir", kind: .folder, help: "The plugin's folder; by default the working folder.")

/// The option for an optimized build.
let releaseOption = Command.Option.flag("release", help: "Build with optimizations.")

/// The argument with further options of `swift`, which are written after `--`.
private let swiftArgument = Command.Argument.repeated(
    "swift-option", help: "Options of Swift's own command, after \"--\": bundletool build Hello -- --jobs 2.")

extension ParsedCommand {
    /// The plugin's folder, if it is given, and the options of `swift`.
    fileprivate var projectWords: (folder: String?, options: [String]) {
        let words = [argument(projectArgument.name)].compactMap(\.self) + arguments(swiftArgument.name)
        guard let first = words.first, !first.hasPrefix("-") else { return (nil, words) }
        return (first, Array(words.dropFirst()))
    }

    /// The configuration that the option for an optimized build chooses.
    var configuration: PluginProject.Configuration { flag("release") ? .release : .debug }
}

/// The `bundletool build` command.
enum BuildCommand {
    static let declaration = Command(
        "build", summary: "Build a plugin or a host with the SDK of this program.",
        discussion: """
            Runs "swift build" with a toolset that tells the compiler where the SDK's modules and libraries are. The toolset is \
            .build/atrium/toolset.json in the plugin's folder, for use with "swift build --toolset" and by editors. The \
            package of a host is built in the same way.

            In the plugins of Atrium, the environment variable USE_LIB=1 links the libraries of the SDK in place of \
            building other packages; NAME_USE_LIB=0 or 1 decides for the package NAME.
            """,
        arguments: [projectArgument, swiftArgument], options: [releaseOption],
        examples: [
            .init("bundletool build"), .init("bundletool build Hello --release"),
            .init("USE_LIB=1 bundletool build Plugins/Shop", "Link Core and other plugins' Interfaces as binaries:"),
        ])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let (folder, options) = parsed.projectWords
        let project = try PluginProject.at(folder, mayBeHost: true)
        let library = try project.build(parsed.configuration, options, isQuiet: parsed.flag("json"))
        guard !parsed.flag("json") else {
            let toolset = project.hasPackage ? project.toolset.string : nil
            return Reply(document: ["library": .string(orNull: library?.string), "toolset": .string(orNull: toolset)])
        }
        guard project.hasPackage else { return Reply(text: "This bundle has no code.\n") }
        return Reply(
            text: library.map { "Built \(printable($0.string))\n" } ?? "Built \(printable(project.folder.string))\n")
    }
}

/// The `bundletool test` command.
enum TestCommand {
    static let declaration = Command(
        "test", summary: "Build a plugin and run its tests with the SDK of this program.",
        discussion: "Runs \"swift test\" with the same toolset as \"bundletool build\".",
        arguments: [projectArgument, swiftArgument],
        options: [
            releaseOption,
            .value(
                "filter", placeholder: "regex", help: "Run only tests whose names match; see \"swift test --help\"."),
        ],
        examples: [.init("bundletool test"), .init("bundletool test Hello --filter greeting")])

    static func run(_ parsed: ParsedCommand) throws -> Reply {
        let (folder, options) = parsed.projectWords
        let project = try PluginProject.at(folder, mayBeHost: true)
        let filter = parsed.value("filter").map { ["--filter", $0] } ?? []
        guard project.hasPackage else {
            return parsed.flag("json") ? Reply(document: ["passed": true]) : Reply(text: "This bundle has no code.\n")
        }
        try project.runTests(parsed.configuration, filter + options, isQuiet: parsed.flag("json"))
        return parsed.flag("json") ? Reply(document: ["passed": true]) : Reply(text: "")
    }
}
