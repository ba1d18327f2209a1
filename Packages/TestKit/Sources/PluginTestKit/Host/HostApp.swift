internal import FoundationEssentials
public import PluginCore

/// The built host, its tools and its catalog, as a user has them.
///
/// ```swift
/// let sandbox = try ThrowawaySandbox()
/// let host = try HostApp.find().with(sandbox: sandbox)
/// let result = try await host.run("install", "com.example.app.shop")
/// #expect(result.status == 0)
/// ```
public struct HostApp: Sendable {
    /// The variable that names the folder with `bin/hostapp`, `bin/bundletool` and `catalog/`.
    public static let variable = "ATRIUM_BUILD"

    /// That folder.
    public let build: FilePath
    /// The host; all runs of it have the options of ``with(sandbox:catalog:)``.
    public let hostapp: Executable

    /// A build in a folder, whether it is there or not.
    public init(build: FilePath) {
        self.init(build: build, options: [], holding: [])
    }

    private init(build: FilePath, options: [String], holding held: [any Sendable]) {
        self.build = build
        hostapp = Executable(build.appending("bin/hostapp"), leading: options, environment: [:], holding: held)
    }

    /// The build that `ATRIUM_BUILD` names, else the nearest `build/` in a folder above a source file.
    ///
    /// - Parameter file: where to look from; by default the calling file.
    /// - Throws: ``FixtureError`` that says where a build was looked for.
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

    /// The same host with `--sandbox` and `--catalog` on every command line. It keeps both alive, and so does each of
    /// its processes.
    ///
    /// - Parameter catalog: by default the one of the build.
    public func with(sandbox: ThrowawaySandbox, catalog: ThrowawayCatalog? = nil) -> HostApp {
        let folder = catalog?.folder ?? self.catalog
        return HostApp(
            build: build, options: ["--sandbox", sandbox.root.string, "--catalog", folder.string],
            holding: [sandbox, catalog as any Sendable])
    }

    /// Runs `hostapp` to its end; see ``Executable/run(_:input:environment:folder:timeout:)-([String],_,_,_,_)``.
    public func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:],
        timeout: Duration = Executable.patience
    ) async throws(ProcessFailure) -> ProcessResult {
        try await hostapp.run(arguments, input: input, environment: environment, timeout: timeout)
    }

    /// Starts `hostapp`, such as `shell`, to talk to it line by line.
    public func start(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws(ProcessFailure) -> RunningProcess {
        try hostapp.start(arguments, environment: environment)
    }

    /// Starts `hostapp` as in a terminal window.
    public func startOnTerminal(
        _ arguments: String..., columns: UInt16 = 80, rows: UInt16 = 24, environment: [String: String] = [:]
    ) throws(ProcessFailure) -> RunningProcess {
        try hostapp.startOnTerminal(arguments, columns: columns, rows: rows, environment: environment)
    }
}
