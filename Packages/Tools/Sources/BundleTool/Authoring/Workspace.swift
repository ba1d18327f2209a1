import Authoring
import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import Signing

/// The repository of an app: a host in `HostApp`, plugins in `Plugins`, and a `bundle.json` that says what the app consists of.
///
/// ```
/// build/bin/        the host's program, and extension-runner
/// build/lib/        the libraries that the host and the plugins share
/// build/catalog/    the packages of the plugins, signed with the development key
/// build/share/      the texts of all hosts, and in a folder with the program's name bundle.json and the teams it trusts
/// ```
struct Workspace {
    /// The folder.
    let folder: FilePath

    /// The folder of the plugins.
    var plugins: FilePath { folder.appending("Plugins") }
    /// The host's package.
    var host: PluginProject { PluginProject(folder: folder.appending("HostApp")) }
    /// The file with what the app consists of.
    var composition: FilePath { folder.appending("bundle.json") }
    /// The folder of what ``build(_:isQuiet:)`` makes.
    var output: FilePath { folder.appending("build") }

    /// Returns the workspace in a folder; `nil` if there is none.
    init?(in folder: FilePath) {
        self.folder = folder
        guard composition.isFile, host.hasPackage, plugins.isFolder else { return nil }
    }

    /// Returns the workspace around a folder; `nil` if there is none.
    static func around(_ folder: FilePath) throws -> Workspace? {
        var place = try CurrentFolder.resolve(folder.string, in: ["bundletool"])
        while true {
            if let workspace = Workspace(in: place) { return workspace }
            if place.parent == place { return nil }
            place = place.parent
        }
    }

    /// The part of `bundle.json` that is needed here.
    private struct App: Decodable {
        struct Member: Decodable { let pkg: String }

        let bundles: [Member]
    }

    /// Returns the team of the app's first plugin; `nil` without one.
    func team() throws -> String? {
        let app = try? StrictJSON.decode(App.self, from: Files.bytes(of: composition, limit: 1 << 20))
        return app?.bundles.first.map { PluginTemplate.team(of: $0.pkg) }
    }

    /// Adds a plugin to the app, in the text of `bundle.json`, which otherwise stays as it is.
    ///
    /// - Throws: ``CommandError`` if the file has no list of bundles.
    func add(_ plugin: PluginTemplate) throws {
        let text = String(decoding: try Files.bytes(of: composition, limit: 1 << 20), as: UTF8.self)
        guard (try? StrictJSON.decode(App.self, from: Array(text.utf8))) != nil,
            let bundles = JSONPlace(text)?["bundles"]
        else { throw CommandError(.badInput, composition, reason: "bundlesMissing") }
        let member = "{ \"uri\": \"\(plugin.name.lowercased())\", \"pkg\": \"\(plugin.identifier)\" }"
        guard let last = bundles.children.last?.range.upperBound else {
            return try Files.replace(composition, with: text.replacing(bundles.range, with: "[\n    \(member)\n  ]"))
        }
        try Files.replace(composition, with: text.replacing(last..<last, with: ",\n    \(member)"))
    }

    /// The projects of the plugins: first the libraries, which others link, and then by name.
    func projects() throws -> [PluginProject] {
        let all = try Files.names(in: plugins).sorted().map { PluginProject(folder: plugins.appending($0)) }
        let known = try all.filter(\.manifest.isFile).map { ($0, try $0.outline().kind == BundleKind.lib.rawValue) }
        return known.filter(\.1).map(\.0) + known.filter { !$0.1 }.map(\.0)
    }

    /// Returns the name of the host's program: the folder with its `main.swift`.
    func program() throws -> String {
        let sources = host.folder.appending("Sources")
        let names = try Files.names(in: sources).sorted()
        guard let name = names.first(where: { sources.appending("\($0)/main.swift").isFile }) else {
            throw CommandError(.notFound, sources, reason: "hostProgramMissing")
        }
        return name
    }

    /// Runs the tests of each plugin that has some, and those of the whole, and returns whether there are any.
    func runTests(
        _ configuration: PluginProject.Configuration, _ words: [String], with packages: [FilePath], isQuiet: Bool
    ) throws -> Bool {
        var hasTests = false
        for project in try projects() + [PluginProject(folder: folder)]
        where project.hasPackage && project.folder.appending("Tests").isFolder {
            StandardOutput.note("Testing \(project.folder == folder ? "the app" : project.folder.lastComponent)\n")
            if try project.runTests(configuration, words, with: packages, isQuiet: isQuiet) { hasTests = true }
        }
        return hasTests
    }
}

extension Workspace {
    /// Builds the host and the plugins, and puts together what the host needs in ``output``.
    ///
    /// - Parameter sealer: Signs the packages; by default with a development key, which the first build makes.
    /// - Returns: The host's program and the packages.
    /// - Throws: ``CommandError`` and the errors of packing. The earlier output stays until everything is built.
    func build(
        _ configuration: PluginProject.Configuration, isQuiet: Bool, signedBy sealer: Sealer? = nil
    ) throws -> (program: FilePath, packages: [FilePath]) {
        let (projects, program) = (try projects(), try program())
        StandardOutput.note("Building \(program)\n")
        _ = try host.build(configuration, isQuiet: isQuiet)
        let built = try projects.map { project in
            StandardOutput.note("Building \(project.folder.lastComponent)\n")
            try project.writeTexts()
            return (project, try project.build(configuration, isQuiet: isQuiet))
        }
        let fresh = folder.appending(".build/\(Files.passingName)")
        defer { Files.removeTree(fresh) }
        for name in ["bin", "lib", "share/\(program)"] { try Files.makeFolder(fresh.appending(name)) }
        let products = host.folder.appending(".build/\(configuration.rawValue)")
        try Files.copy(products.appending(program), to: fresh.appending("bin/\(program)"))
        let shared = try Files.names(in: products).filter { $0.hasPrefix("lib") && $0.hasSuffix(".so") }.sorted()
        for name in shared { try Files.copy(products.appending(name), to: fresh.appending("lib/\(name)")) }
        let sdk = try SDK.own()
        for name in ["bin/extension-runner", "share/atrium"] {
            try Files.link(fresh.appending(name), to: sdk.root.appending(name))
        }
        try Files.copy(composition, to: fresh.appending("share/\(program)/bundle.json"))
        let packages = try pack(
            built, into: fresh, offering: shared, trustedBy: program, signedBy: sealer ?? developmentSealer())
        Files.removeTree(output)
        try Files.move(fresh, to: output)
        return (output.appending("bin/\(program)"), packages.map(output.appending("catalog").appending))
    }

    /// Packs the plugins, and makes the host trust their teams.
    ///
    /// - Returns: The names of the packages.
    private func pack(
        _ built: [(project: PluginProject, library: FilePath?)], into fresh: FilePath, offering shared: [String],
        trustedBy program: String, signedBy sealer: Sealer
    ) throws -> [String] {
        var (packages, dependencies, teams) = ([String](), [FilePath](), Set<String>())
        for (project, library) in built {
            let outline = try project.outline()
            let team = PluginTemplate.team(of: outline.identifier ?? "")
            let packer = Packer(
                folder: project.folder, library: library,
                dependencies: try project.linkedPackages(besides: dependencies),
                hostLibraries: shared.map { fresh.appending("lib/\($0)") },
                sealer: Sealer(key: sealer.key, team: team, signedAt: sealer.signedAt))
            let package = try packer.pack(into: fresh.appending("catalog")) {
                StandardOutput.note("warning: \(printable($0))\n")
            }
            if outline.kind == BundleKind.lib.rawValue { dependencies.append(package) }
            packages.append(package.lastComponent)
            teams.insert(team)
        }
        let trusted = teams.sorted().map { team -> JSONText in
            let key: JSONText = ["key": sealer.key.publicKey.base64]
            return [
                "team": team, "name": team, "prefixes": JSONText.array([.string(team)]), "keys": JSONText.array([key]),
            ]
        }
        let trust: JSONText = ["formatVersion": 1, "teams": JSONText.array(trusted)]
        try Files.replace(fresh.appending("share/\(program)/trust.json"), with: trust.text(pretty: true) + "\n")
        return packages
    }

    /// Returns a sealer with the development key of this folder, and creates the key if it does not exist.
    private func developmentSealer() throws -> Sealer {
        let name = folder.appending("Keys/development")
        let files = KeyPair.files(of: name.string)
        if !files.secret.isFile {
            try Files.makeFolder(name.parent)
            Files.removeTree(files.publicFile)
            _ = try KeyPair(named: name.string, password: nil)
        }
        return try SigningRequest(key: files.secret, passwordFile: nil, team: "", time: Environment.now()).sealer()
    }
}
