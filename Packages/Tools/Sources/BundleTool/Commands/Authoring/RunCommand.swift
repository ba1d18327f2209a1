import BundleFormat
import Console
import PluginAuthoring
import PluginCore

/// The `bundletool run` command.
enum RunCommand {
    static let declaration = Command(
        "run", summary: "Try a plugin in a real host of its own.",
        discussion: """
            Builds and packs the plugin, and installs it in a sandbox of its own. The data stays between runs; delete \
            .build/atrium in the plugin's folder to start over. Then "hostapp open" opens the address, or the page with the \
            shortest address; on a terminal, "hostapp shell" does.

            The package, and those of --dependency, are signed with a key that is made for this sandbox; no other host \
            trusts it. The host checks signatures, compatibility and versions as usual. Each run installs the plugin anew, \
            so a version that crashed is not blocked.
            """,
        arguments: [projectArgument, .optional("address", help: "The address to open, such as app://hello.")],
        options: [releaseOption, DependencyOption.declaration],
        examples: [.init("bundletool run"), .init("bundletool run Hello app://hello/about")])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        let project = try PluginProject.at(parsed.argument("plugin-dir"))
        let sdk = try SDK.own()
        if try project.outline().kind == BundleKind.lib.rawValue { throw AuthoringError.nothingToOpen(project.folder) }
        let library = try project.build(parsed.configuration, isQuiet: true)
        let given = DependencyOption.packages(in: parsed)
        Files.removeTree(project.catalog)
        // App groups belong to the team whose prefix their names have.
        let team = PluginTemplate.team(of: try project.outline().identifier ?? "com.example")
        try resetSandbox(of: project, unlessFor: team)
        let key = try developmentKey(of: project)
        let dependencies = try given.map { try signed($0, for: team, key: key.secret, in: project) }
        let packer = Packer(
            folder: project.folder, library: library, dependencies: dependencies,
            sealedBy: try SigningRequest(key: key.secret, passwordFile: nil, team: team, time: Environment.now())
                .sealer())
        let package = try packer.pack(
            into: project.catalog, warn: { StandardOutput.note("warning: \(printable($0))\n") })
        let manifest = try PackageInspection(of: package, dependencies: dependencies).manifest
        let composition = try composition(for: manifest, in: project)
        guard let address = parsed.argument("address") ?? Self.address(in: manifest) else {
            throw AuthoringError.nothingToOpen(project.folder)
        }
        let required = try dependencies.map { try PackageInspection(of: $0).manifest.identity.identifier.text }
        let identifiers = [manifest.identity.identifier.text] + required
        let host = Host(
            program: sdk.hostapp,
            options: [
                "--sandbox", project.sandbox.string, "--composition", composition.string, "--catalog",
                project.catalog.string,
            ] + (parsed.flag("json") ? ["--json"] : []))
        let prefixes = ([team] + required).flatMap { ["--prefix", $0] }
        try host.run(["trust", "add", team, "--key", key.publicFile.string] + prefixes)
        // The contents of these versions have probably changed since the last run.
        for identifier in identifiers { try host.run(["uninstall", identifier, "--cascade"], mayFail: true) }
        try host.run(["install", package.string] + dependencies.map(\.string))
        let command = terminal.isTerminal && !parsed.flag("json") ? "shell" : "open"
        try InheritingProcess.replace(by: sdk.hostapp, host.options + [command, address])
    }

    /// A host whose commands print only what fails.
    private struct Host {
        let program: FilePath
        let options: [String]

        func run(_ words: [String], mayFail: Bool = false) throws {
            let child = try ChildProcess(
                running: program, within: .seconds(120), findingLibrariesIn: [], inheriting: []
            ) { _ in options + words }
            guard child.end != .exited(status: 0), !mayFail else { return }
            // The host has described the error, and its status is the one of this command.
            let output = String(decoding: child.output, as: UTF8.self)
            try StandardOutput.write(output, to: options.contains("--json") ? .output : .error)
            guard case .exited(let status) = child.end else {
                throw AuthoringError.programFailed("hostapp \(words[0])", status: 1)
            }
            ExitStatus(rawValue: status).exit()
        }
    }

    /// Removes a sandbox in which the plugin had another team, whose key a host would not give to this one.
    private static func resetSandbox(of project: PluginProject, unlessFor team: String) throws {
        let file = project.workFolder.appending("team")
        let last = try? Files.bytes(of: file, limit: 1 << 10, remedy: "")
        guard last != Array(team.utf8) else { return }
        Files.removeTree(project.sandbox)
        try Files.makeFolder(project.workFolder)
        try Files.replace(file, with: team)
    }

    /// Signs a copy of a package with the key that the plugin's own sandbox trusts.
    private static func signed(
        _ package: FilePath, for team: String, key: FilePath, in project: PluginProject
    ) throws -> FilePath {
        try Files.makeFolder(project.catalog)
        let copy = project.catalog.appending(package.lastComponent)
        let words = ["sign", package.string, "-o", copy.string, "--key", key.string, "--team", team]
        _ = try SignCommand.run(try CommandLineParser(Program.command).parse(words))
        return copy
    }

    /// Returns the key that only the plugin's own sandbox trusts.
    private static func developmentKey(of project: PluginProject) throws -> (secret: FilePath, publicFile: FilePath) {
        let files = KeyPair.files(of: project.developmentKey.string)
        if Files.kind(of: files.secret) == nil || Files.kind(of: files.publicFile) == nil {
            for path in [files.secret, files.publicFile, project.sandbox] { Files.removeTree(path) }
            try Files.makeFolder(project.workFolder)
            _ = try KeyPair(named: project.developmentKey.string, password: nil)
        }
        return files
    }

    /// Writes an app with nothing but the plugin.
    private static func composition(for manifest: Manifest, in project: PluginProject) throws -> FilePath {
        let path = project.workFolder.appending("bundle.json")
        var members: [(String, JSONText)] = [("formatVersion", 1), ("name", .string(manifest.name))]
        if let address = address(in: manifest) { members.append(("start", .string(address))) }
        members.append(("bundles", []))
        try Files.replace(path, with: JSONText.object(members).text(pretty: true) + "\n")
        return path
    }

    /// Returns the address of the first page that needs no parameters.
    private static func address(in manifest: Manifest) -> String? {
        let pages = manifest.routes.filter {
            $0.kind == .page && !$0.pattern.contains(":") && !$0.pattern.contains("*")
        }
        return pages.min { $0.pattern.count < $1.pattern.count }.map { "app://\($0.pattern)" }
    }
}
