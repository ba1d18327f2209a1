import BundleFormat
import FoundationEssentials
public import PluginCore
import PluginRuntime

/// The built host with its tools and its catalog, as users get them.
///
/// ```swift
/// let sandbox = try ThrowawaySandbox()
/// let host = try HostApp.find().with(sandbox: sandbox)
/// let result = try await host.run("install", "com.example.app.shop")
/// #expect(result.status == 0)
/// ```
public struct HostApp: Sendable {
    /// The environment variable that names the build folder, which contains the host, the tools and the catalog.
    public static let variable = "ATRIUM_BUILD"

    /// The environment variable with the packages that the tested plugin requires or calls, one path a line.
    ///
    /// `bundletool test` sets it to those of `--dependency` and those of the plugins whose Interfaces were added.
    public static let dependenciesVariable = "ATRIUM_DEPENDENCIES"

    /// The build folder.
    public let build: FilePath
    /// The host, with the options for its sandbox and catalog.
    public let hostapp: Executable

    /// The name of the host's program.
    private let program: String

    /// Creates a host from a build folder, which need not exist.
    ///
    /// - Parameter program: The name of the host's program.
    public init(build: FilePath, program: String = "hostapp") {
        self.init(build: build, program, options: [], holding: [])
    }

    private init(build: FilePath, _ program: String, options: [String], holding held: [any Sendable]) {
        (self.build, self.program) = (build, program)
        hostapp = Executable(build.appending("bin/\(program)"), leading: options, environment: [:], holding: held)
    }

    /// Finds the build that the environment variable names, or otherwise the nearest build folder above a source file.
    ///
    /// - Parameters:
    ///   - program: The name of the host's program, such as that of a team's own host.
    ///   - file: The file from which to search, by default the calling file.
    /// - Throws: ``FixtureError`` with the searched places.
    public static func find(_ program: String = "hostapp", from file: String = #filePath) throws -> HostApp {
        try find(program, in: System.environment(variable), from: FilePath(file))
    }

    static func find(_ program: String = "hostapp", in build: String?, from file: FilePath) throws -> HostApp {
        func isBuild(_ folder: FilePath) -> Bool {
            FileManager.default.isExecutableFile(atPath: folder.appending("bin/\(program)").string)
        }
        if let build, !build.isEmpty {
            if isBuild(FilePath(build)) { return HostApp(build: FilePath(build), program: program) }
            throw FixtureError("\(variable) is \"\(build)\", and there is no bin/\(program) in it")
        }
        if let folder = file.ancestor(where: { isBuild($0.appending("build")) }) {
            return HostApp(build: folder.appending("build"), program: program)
        }
        throw FixtureError(
            "there is no build/bin/\(program) above \(file); run Scripts/build, or let \(variable) name a build")
    }

    /// The tool for plugin authors.
    public var bundletool: Executable { Executable(build.appending("bin/bundletool")) }

    /// The catalog of sample plugins.
    public var catalog: FilePath { build.appending("catalog") }

    /// Returns this host with options for a sandbox and a catalog, which it and its processes keep alive.
    ///
    /// - Parameters:
    ///   - sandbox: The sandbox.
    ///   - catalog: The catalog, by default that of the build.
    public func with(sandbox: ThrowawaySandbox, catalog: ThrowawayCatalog? = nil) -> HostApp {
        let folder = catalog?.folder ?? self.catalog
        return HostApp(
            build: build, program, options: ["--sandbox", sandbox.root.string, "--catalog", folder.string],
            holding: [sandbox, catalog as any Sendable])
    }

    /// Runs the host until it ends.
    ///
    /// See ``Executable/run(_:input:environment:folder:timeout:)-([String],_,_,_,_)``.
    public func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:],
        timeout: Duration = Executable.patience
    ) async throws(ProcessFailure) -> ProcessResult {
        try await hostapp.run(arguments, input: input, environment: environment, timeout: timeout)
    }

    /// Starts the host for interactive use, such as its shell.
    public func start(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws(ProcessFailure) -> RunningProcess {
        try hostapp.start(arguments, environment: environment)
    }

    /// Starts the host on a terminal.
    public func startOnTerminal(
        _ arguments: String..., columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:]
    ) throws(ProcessFailure) -> RunningProcess {
        try hostapp.startOnTerminal(arguments, columns: columns, rows: rows, environment: environment)
    }

    /// Returns the built host with a new sandbox and a catalog that offers the plugin under test.
    ///
    /// The plugin is packed as it was built for the tests and signed with a test key that this host trusts.
    ///
    /// ```swift
    /// @Test("The plugin's page can be opened in the real host")
    /// func opened() async throws {
    ///     let host = try await HostApp.offering()
    ///     let result = try await host.run("open", "app://hello")
    ///     #expect(result.status == 0 && result.stdout.hasPrefix("Hello\n"), "\(result)")
    /// }
    /// ```
    ///
    /// Sandbox and catalog are removed with the last copy of the host.
    ///
    /// - Parameters:
    ///   - plugin: The plugin's folder, by default the one that contains the calling file.
    ///   - library: The built library, by default the one next to the test bundle, where `swift test` puts the dynamic library products of
    ///     the tested package.
    ///   - dependencies: The packages of the library bundles that it is linked with, which the catalog also offers.
    ///   - hostLibraries: The libraries that its hosts provide in addition to those of Atrium.
    ///   - others: Additional packages for the catalog, such as plugins that it calls. Those that ``dependenciesVariable`` names are offered,
    ///     too, signed with the test key.
    ///   - file: The file from which plugin and build are searched, by default the calling file.
    /// - Throws: ``FixtureError`` if no build or no library is found, or if `bundletool pack` rejects the plugin, with its output.
    public static func offering(
        _ plugin: PluginFolder? = nil, library: FilePath? = nil, dependencies: [FilePath] = [],
        hostLibraries: [FilePath] = [], beside others: [FilePath] = [], from file: String = #filePath
    ) async throws -> HostApp {
        let build = try find(from: file)
        let plugin = plugin ?? PluginFolder(of: file)
        let manifest = try plugin.manifest()
        let signer = try SigningIdentity(forBundle: manifest.identity.identifier.text)
        let (scratch, sandbox) = (try ThrowawayFolder(), try ThrowawaySandbox())
        let catalog = try ThrowawayCatalog(signedBy: signer)
        for package in dependencies + others { try catalog.add(package) }
        let named = (System.environment(dependenciesVariable) ?? "").split(separator: "\n").map { FilePath(String($0)) }
        let signed = try named.map { try catalog.pack(from: $0) { try $0.sign(by: signer) } }

        var words = ["pack", plugin.root.string, "--output", catalog.folder.string]
        words += ["--key", try signer.writeKey(in: scratch).string, "--team", signer.team]
        if let library = try library ?? manifest.entry.map(PluginFolder.builtLibrary) {
            words += ["--library", library.string]
        }
        words += (dependencies + signed).flatMap { ["--dependency", $0.string] }
        words += hostLibraries.flatMap { ["--host-library", $0.string] }
        let packed = try await build.bundletool.run(words)
        guard packed.status == 0 else {
            throw FixtureError("\(plugin.root) cannot be packed: \(packed.stderr)")
        }
        let owners = try signed.map {
            try SigningIdentity.team(of: PackageFile(path: $0).manifest().identity.identifier.text)
        }
        try sandbox.trust(signer, prefixes: Set(owners + [signer.team]).sorted())
        return build.with(sandbox: sandbox, catalog: catalog)
    }
}

extension SigningIdentity {
    /// Creates a team that may sign a bundle.
    ///
    /// It is the team of the sample plugins for one of those, and otherwise a new one named after the first two parts of the identifier.
    init(forBundle identifier: String) throws {
        if identifier.hasPrefix(Self.sampleTeam + "."), let development = Self.development {
            self = development
        } else {
            try self.init(team: Self.team(of: identifier))
        }
    }

    /// Returns the first two parts of an identifier.
    static func team(of identifier: String) -> String {
        identifier.split(separator: ".").prefix(2).joined(separator: ".")
    }
}
