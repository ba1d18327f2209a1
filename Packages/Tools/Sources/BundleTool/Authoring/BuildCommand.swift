import Console
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
enum BuildCommand: ProgramCommand {
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

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let (folder, options) = parsed.projectWords
        let project = try PluginProject.at(folder, mayBeHost: true)
        let library = try project.build(parsed.configuration, options, isQuiet: parsed.flag("json"))
        let toolset = project.hasPackage ? project.toolset.string : nil
        return Answer(
            text: project.hasPackage
                ? "Built \(printable((library ?? project.folder).string))\n" : "This bundle has no code.\n",
            members: ["library": library, "toolset": toolset])
    }
}

/// The `bundletool test` command.
enum TestCommand: ProgramCommand {
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

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let (folder, options) = parsed.projectWords
        let project = try PluginProject.at(folder, mayBeHost: true)
        let filter = parsed.value("filter").map { ["--filter", $0] } ?? []
        guard project.hasPackage else {
            return Answer(text: "This bundle has no code.\n", json: ["passed": true])
        }
        try project.runTests(parsed.configuration, filter + options, isQuiet: parsed.flag("json"))
        return Answer(text: "", json: ["passed": true])
    }
}

/// The `bundletool run` command.
enum RunCommand: ProgramCommand {
    static let declaration = Command(
        "run", summary: "Try a plugin in a real host of its own.",
        discussion: """
            Builds and packs the plugin, and installs it in a sandbox of its own, which is only for development: other \
            hosts don't open it. The data stays between runs; delete .build/atrium in the plugin's folder to start over. \
            Then "hostapp open" opens the address, or the page with the shortest address; on a terminal, "hostapp shell" \
            does.

            With --watch, "hostapp shell" stays open. When a file of the plugin is saved, the plugin is built and \
            updated, and its page opens again in the new version, on top of the pages that are open. What doesn't \
            compile is reported, and the version before stays.

            The package, and those of --dependency, are signed with a key that is made for this sandbox; no other host \
            trusts it. The host checks signatures, compatibility and versions as usual. Each run installs a newer \
            version, such as 1.0.0-dev.1795473840123, so a version that crashed is not blocked.
            """,
        arguments: [projectArgument, .optional("address", help: "The address to open, such as app://hello.")],
        options: [
            releaseOption, DependencyOption.declaration,
            .flag("watch", short: "w", help: "Update the running plugin whenever one of its files is saved."),
        ],
        examples: [
            .init("bundletool run"), .init("bundletool run Hello app://hello/about"),
            .init("bundletool run Hello --watch", "Develop with a running host:"),
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let isJSON = parsed.flag("json")
        try parsed.requireOne(of: "watch", "json")
        // An address alone is one in the working folder's plugin.
        var (folder, address) = (parsed.argument("plugin-dir"), parsed.argument("address"))
        if address == nil, folder?.contains("://") == true { (folder, address) = (nil, folder) }
        let project = try PluginProject.at(folder)
        if try project.outline().kind == BundleKind.lib.rawValue { throw CommandError.nothingToOpen(project.folder) }
        try project.lock("lock")
        let library = try project.build(parsed.configuration, isQuiet: true)
        let host = try DevelopmentHost(of: project, requiring: parsed.files("dependency"), isJSON: isJSON)
        let (package, manifest) = try host.pack(library)
        guard let address = address ?? manifest.firstAddress else {
            throw CommandError.nothingToOpen(project.folder)
        }
        do {
            try host.begin(with: package, of: manifest)
        } catch let failure as DevelopmentHost.Failure {
            // The host has described the error, and its status is the one of this command.
            try StandardOutput.write(failure.output, to: isJSON ? .output : .error)
            ExitStatus(rawValue: failure.status).exit()
        }
        if parsed.flag("watch") {
            ExitStatus(rawValue: try LiveRun(host: host, configuration: parsed.configuration).run(at: address)).exit()
        }
        let (program, arguments) = host.invocation([terminal.isTerminal && !isJSON ? "shell" : "open", address])
        try InheritingProcess.replace(by: program, arguments)
    }
}
