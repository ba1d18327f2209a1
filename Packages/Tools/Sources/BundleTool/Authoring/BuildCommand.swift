import Console
import PluginCore

/// The argument with a plugin's folder.
let projectArgument = Command.Argument.optional("plugin-dir", kind: .folder)

/// The option for an optimized build.
let releaseOption = Command.Option.flag("release")

/// The argument with further options of `swift`, which are written after `--`.
private let swiftArgument = Command.Argument.repeated("swift-option")

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
let buildCommand = ProgramCommand("build", arguments: [projectArgument, swiftArgument], options: [releaseOption]) {
    parsed, _ in
    let (folder, options) = parsed.projectWords
    let project = try PluginProject.at(folder, mayBeHost: true)
    if let workspace = Workspace(in: project.folder) {
        let (program, packages) = try workspace.build(parsed.configuration, isQuiet: parsed.flag("json"))
        let lines = ([program] + packages).map { "Built \(printable($0))\n" }
        return Answer(text: lines.joined(), json: ["program": program, "packages": packages.map(\.string)])
    }
    try project.writeTexts()
    let library = try project.build(parsed.configuration, options, isQuiet: parsed.flag("json"))
    return Answer(
        text: project.hasPackage
            ? "Built \(printable(library ?? project.folder))\n" : "This bundle has no code.\n",
        json: ["library": library, "toolset": project.hasPackage ? project.toolset : nil])
}

/// The `bundletool test` command.
let testCommand = ProgramCommand(
    "test", arguments: [projectArgument, swiftArgument],
    options: [releaseOption, .value("filter", placeholder: "regex"), DependencyOption.declaration, SDKRuns.option]
) { parsed, _ in
    let (folder, options) = parsed.projectWords
    let project = try PluginProject.at(folder, mayBeHost: true)
    let words = (parsed.value("filter").map { ["--filter", $0] } ?? []) + options
    let isQuiet = parsed.flag("json")
    let given = parsed.files("dependency")
    let hasTests: Bool
    if let workspace = Workspace(in: project.folder) {
        _ = try workspace.build(parsed.configuration, isQuiet: true)
        hasTests = try workspace.runTests(parsed.configuration, words, with: given, isQuiet: isQuiet)
    } else if project.hasPackage {
        try project.writeTexts()
        hasTests = try project.runTests(parsed.configuration, words, with: given, isQuiet: isQuiet)
    } else {
        return Answer(text: "This bundle has no code.\n", json: ["passed": true])
    }
    guard hasTests else { throw CommandError(.badInput, project.folder, reason: "testsMissing") }
    return Answer(text: "", json: ["passed": true])
}

/// The `bundletool run` command.
let runCommand = ProgramCommand(
    "run", arguments: [projectArgument, .optional("address")],
    options: [
        releaseOption, DependencyOption.declaration, .value("language", placeholder: "TAG"), .flag("watch", short: "w"),
    ]
) { parsed, terminal in
    let isJSON = parsed.flag("json")
    try parsed.requireOne(of: "watch", "json")
    // An address alone is one in the working folder's plugin.
    var (folder, address) = (parsed.argument("plugin-dir"), parsed.argument("address"))
    if address == nil, folder?.contains("://") == true { (folder, address) = (nil, folder) }
    let project = try PluginProject.at(folder)
    if try project.outline().kind == BundleKind.lib.rawValue { throw CommandError.nothingToOpen(project.folder) }
    try Files.makeFolder(project.workFolder)
    // Several runs of a plugin share its sandbox, and only one at a time builds and installs.
    let (host, start, content) = try Files.whileLocked(project.workFolder.appending("lock")) {
        try project.writeTexts()
        let library = try project.build(parsed.configuration, isQuiet: true)
        let host = try DevelopmentHost(
            of: project, requiring: project.packages(besides: parsed.files("dependency")), isJSON: isJSON,
            language: parsed.value("language"))
        let (package, manifest) = try host.pack(library)
        guard let address = address ?? manifest.firstAddress else { throw CommandError.nothingToOpen(project.folder) }
        do {
            try host.begin(with: package, of: manifest)
        } catch let failure as DevelopmentHost.Failure {
            // The host has described the error, and its status is the one of this command.
            try StandardOutput.write(failure.output, to: isJSON ? .output : .error)
            ExitStatus(rawValue: failure.status).exit()
        }
        return (host, address, try host.content(of: package))
    }
    if parsed.flag("watch") {
        var live = LiveRun(host: host, configuration: parsed.configuration, content: content)
        ExitStatus(rawValue: try live.run(at: start)).exit()
    }
    let (program, arguments) = host.invocation([terminal.isTerminal && !isJSON ? "shell" : "open", start])
    try InheritingProcess.replace(by: program, arguments)
}
