internal import FoundationEssentials
public import PluginCore

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

    /// The build folder.
    public let build: FilePath
    /// The host, with the options for its sandbox and catalog.
    public let hostapp: Executable

    /// Creates a host from a build folder, which need not exist.
    public init(build: FilePath) {
        self.init(build: build, options: [], holding: [])
    }

    private init(build: FilePath, options: [String], holding held: [any Sendable]) {
        self.build = build
        hostapp = Executable(build.appending("bin/hostapp"), leading: options, environment: [:], holding: held)
    }

    /// Finds the build that the environment variable names, or otherwise the nearest build folder above a source file.
    ///
    /// - Parameter file: The file from which to search, by default the calling file.
    /// - Throws: ``FixtureError`` with the searched places.
    public static func find(from file: String = #filePath) throws -> HostApp {
        try find(named: System.environment(variable), from: FilePath(file))
    }

    static func find(named build: String?, from file: FilePath) throws -> HostApp {
        if let build, !build.isEmpty {
            if isBuild(FilePath(build)) { return HostApp(build: FilePath(build)) }
            throw FixtureError("\(variable) is \"\(build)\", and there is no bin/hostapp in it")
        }
        var folder = file.parent
        while true {
            if isBuild(folder.appending("build")) { return HostApp(build: folder.appending("build")) }
            let parent = folder.parent
            guard parent != folder, parent != "." else { break }
            folder = parent
        }
        throw FixtureError(
            "there is no build/bin/hostapp above \(file); run Scripts/build, or let \(variable) name a build")
    }

    private static func isBuild(_ folder: FilePath) -> Bool {
        FileManager.default.isExecutableFile(atPath: folder.appending("bin/hostapp").string)
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
            build: build, options: ["--sandbox", sandbox.root.string, "--catalog", folder.string],
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
}
