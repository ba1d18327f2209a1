import BundleFormat
import Console
import HostSystem
import PluginCore
import Processes

/// A real host with nothing but one plugin, in a sandbox for development below the plugin's build folder.
///
/// The plugin's package is signed with a key that is made for this sandbox, so the author needs none and the host checks signatures as usual.
struct DevelopmentHost {
    /// A command of the host that has failed after describing its error.
    struct Failure: Error {
        let output: String
        let status: Int32
    }

    /// What makes a version differ from the one before.
    typealias Content = [String: [UInt64]]

    let project: PluginProject
    private let program: FilePath
    private let team: String
    private let isJSON: Bool
    /// The language of the pages; `nil` for the user's.
    private let language: String?
    private let dependencies: [FilePath]
    private var areDependenciesNew = false

    /// The file that is locked while the plugin is built and installed.
    var lock: FilePath { project.workFolder.appending("lock") }
    /// The sandbox.
    private var sandbox: FilePath { project.workFolder.appending("sandbox") }
    /// The folder with the packages for the host.
    private var catalog: FilePath { project.workFolder.appending("catalog") }
    /// The app with nothing but the plugin.
    private var composition: FilePath { project.workFolder.appending("bundle.json") }
    /// The name of the key that only this sandbox trusts.
    private var keyName: String { project.workFolder.appending("development").string }

    /// Creates the host of a plugin, without starting it.
    ///
    /// - Parameter packages: The packages of the bundles that the plugin requires or calls.
    init(of project: PluginProject, requiring packages: [FilePath], isJSON: Bool, language: String?) throws {
        self.project = project
        (self.isJSON, self.language) = (isJSON, language)
        program = try SDK.own().hostapp
        // App groups belong to the team whose prefix their names have.
        team = PluginTemplate.team(of: try project.outline().identifier ?? "com.example")
        let catalog = project.workFolder.appending("catalog")
        dependencies = packages.map { catalog.appending($0.lastComponent) }
        try Files.makeFolder(catalog)
        // In a sandbox in which the plugin had another team, a host would not give that team's key to this one.
        try project.record("development of \(team)", as: "team") { Files.removeTree(sandbox) }
        try makeKey()
        // Another run may have the same packages in use, so they are replaced only by others.
        let key = String(
            decoding: try Files.bytes(of: KeyPair.files(of: keyName).publicFile, limit: 1 << 16), as: UTF8.self)
        let digests = try packages.map { "\($0.lastComponent) \(try PackageInspection(of: $0).digest)" }
        try project.record(([key] + digests).joined(separator: "\n"), as: "dependencies") {
            areDependenciesNew = true
            Files.removeTree(catalog)
            try Files.makeFolder(catalog)
            for package in packages { try sign(package) }
        }
    }

    /// Packs the plugin with a version that is newer than all before it, and returns its package and its manifest.
    func pack(_ library: FilePath?) throws -> (package: FilePath, manifest: Manifest) {
        let key = KeyPair.files(of: keyName).secret
        let request = SigningRequest(key: key, passwordFile: nil, team: team, time: Environment.now())
        let packer = Packer(
            folder: project.folder, library: library, dependencies: dependencies, sealer: try request.sealer(),
            prerelease: "dev.\(Environment.milliseconds())")
        let folder = project.workFolder.appending("packages")
        Files.removeTree(folder)
        let package = try packer.pack(into: folder) { StandardOutput.note("warning: \(printable($0))\n") }
        return (package, try PackageInspection(of: package, dependencies: dependencies).manifest)
    }

    /// Makes the host trust the development key, and installs the plugin's first package with everything it requires.
    func begin(with package: FilePath, of manifest: Manifest) throws {
        try writeComposition(for: manifest)
        let required = try dependencies.map { try PackageInspection(of: $0).manifest.identity.identifier.text }
        // With these prefixes, the one team also owns the app groups of what the plugin requires.
        let prefixes = Set([team] + required.map(PluginTemplate.team)).sorted().flatMap { ["--prefix", $0] }
        try run(["trust", "add", team, "--key", KeyPair.files(of: keyName).publicFile.string] + prefixes)
        // The contents of these versions have probably changed since the last run.
        for identifier in required where areDependenciesNew { try? run(["uninstall", identifier, "--cascade"]) }
        try install(package)
    }

    /// Returns the content of a package of the plugin, whose manifest is as the author wrote it.
    func content(of package: FilePath) throws -> Content {
        var content = try PackageContent(package).sums
        let manifest = try Files.bytes(of: project.manifest, limit: ManifestReader.sizeLimit)
        content["manifest.json"] = manifest.map { UInt64($0) }
        return content
    }

    /// Installs a package of the plugin; a running host uses it for new pages.
    func install(_ package: FilePath) throws { try run(["install", package.string] + dependencies.map(\.string)) }

    /// Returns the program and its arguments for a command in the plugin's sandbox.
    func invocation(_ words: [String]) -> (program: FilePath, arguments: [String]) {
        let options = [
            "--development", "--sandbox", sandbox.string, "--composition", composition.string, "--catalog",
            catalog.string,
        ]
        return (program, options + (language.map { ["--language", $0] } ?? []) + (isJSON ? ["--json"] : []) + words)
    }

    /// Runs a command of the host.
    ///
    /// - Throws: ``Failure``, or ``CommandError`` if a signal ended it.
    private func run(_ words: [String]) throws {
        let (program, arguments) = invocation(words)
        let child = try ChildProcess(running: program, arguments, within: .seconds(120))
        guard case .exited(let status) = child.end else {
            throw CommandError.programFailed("hostapp \(words[0])", status: 1)
        }
        guard status == 0 else {
            throw Failure(output: String(decoding: child.output, as: UTF8.self), status: status)
        }
    }

    /// Signs a copy of a package with the key that the plugin's own sandbox trusts.
    private func sign(_ package: FilePath) throws {
        let copy = catalog.appending(package.lastComponent)
        let key = KeyPair.files(of: keyName).secret.string
        let words = ["sign", package.string, "-o", copy.string, "--key", key, "--team", team]
        _ = try signCommand.run(CommandLineParser(Program.command).parse(words), .plain)
    }

    /// Makes the key that only the plugin's own sandbox trusts, unless it is there.
    private func makeKey() throws {
        let files = KeyPair.files(of: keyName)
        guard !files.secret.exists || !files.publicFile.exists else { return }
        for path in [files.secret, files.publicFile, sandbox] { Files.removeTree(path) }
        _ = try KeyPair(named: keyName, password: nil)
    }

    /// Writes an app with nothing but the plugin.
    private func writeComposition(for manifest: Manifest) throws {
        let start = manifest.firstAddress.map { JSONText(["start": $0]) } ?? [:]
        let document = JSONText(["formatVersion": 1, "name": manifest.name]) + start + ["bundles": JSONText.array([])]
        try Files.replace(composition, with: document.text(pretty: true) + "\n")
    }
}

extension Manifest {
    /// The address of the first page that needs no parameters.
    var firstAddress: String? {
        let pages = routes.filter { $0.kind == .page && !$0.pattern.contains(":") && !$0.pattern.contains("*") }
        return pages.min { $0.pattern.count < $1.pattern.count }.map { "app://\($0.pattern)" }
    }
}
