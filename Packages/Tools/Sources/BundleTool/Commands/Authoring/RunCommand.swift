import BundleFormat
import Console
import PluginAuthoring
import PluginCore

/// The `bundletool run` command.
enum RunCommand {
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

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        let isJSON = parsed.flag("json")
        let isWatching = parsed.flag("watch")
        if isWatching, isJSON {
            throw UsageError(
                .conflictingOptions, subject: "--watch", expected: ["--json"], command: ["bundletool", "run"])
        }
        // An address alone is one in the working folder's plugin.
        var (folder, address) = (parsed.argument("plugin-dir"), parsed.argument("address"))
        if address == nil, folder?.contains("://") == true { (folder, address) = (nil, folder) }
        let project = try PluginProject.at(folder)
        if try project.outline().kind == BundleKind.lib.rawValue { throw AuthoringError.nothingToOpen(project.folder) }
        try Files.makeFolder(project.workFolder)
        guard try Files.lockUntilEnd(project.workFolder.appending("lock")) else {
            throw AuthoringError.busy(project.folder)
        }
        let library = try project.build(parsed.configuration, isQuiet: true)
        let host = try DevelopmentHost(of: project, requiring: DependencyOption.packages(in: parsed), isJSON: isJSON)
        let (package, manifest) = try host.pack(library)
        guard let address = address ?? manifest.firstAddress else {
            throw AuthoringError.nothingToOpen(project.folder)
        }
        do {
            try host.begin(with: package, of: manifest)
        } catch let failure as DevelopmentHost.Failure {
            // The host has described the error, and its status is the one of this command.
            try StandardOutput.write(failure.output, to: isJSON ? .output : .error)
            ExitStatus(rawValue: failure.status).exit()
        }
        if isWatching {
            ExitStatus(rawValue: try LiveRun(host: host, configuration: parsed.configuration).run(at: address)).exit()
        }
        let (program, arguments) = host.invocation([terminal.isTerminal && !isJSON ? "shell" : "open", address])
        try InheritingProcess.replace(by: program, arguments)
    }
}
