import BundleFormat
import Console
import HostSystem
import PluginCore
import PluginRuntime
import Processes
import RemoteCatalog
import Resolver

/// What an app is packaged from: the parts of a built workspace, or a host with a `bundle.json` and what lies beside it.
struct AppSources {
    /// The host.
    let host: FilePath
    /// The folder of the app in the user's data folder, and in `share`.
    let shareFolder: String
    /// The folders with the libraries of host and plugins.
    let libraries: [FilePath]
    /// The `bundle.json`.
    let composition: FilePath
    /// The lock; `nil` if the host chooses the versions among the packages.
    let lock: FilePath?
    /// The teams that the host trusts.
    let trust: FilePath
    /// The list of published catalogs, `catalogs.json` beside `bundle.json`; `nil` for none.
    let catalogs: FilePath?
    /// The folder in which the packages are, if they need not be fetched.
    private let packages: FilePath?
    /// The packages of a workspace.
    private let built: [FilePath]
    /// A Boolean value that indicates whether the packages are signed with a development key.
    let isForDevelopment: Bool

    /// The name of the host's program.
    var program: String { host.lastComponent }

    /// Takes the parts of a workspace that was built.
    init(of workspace: Workspace, _ packages: [FilePath], isForDevelopment: Bool) throws {
        let name = try workspace.program()
        let share = workspace.output.appending("share/\(name)")
        (host, shareFolder) = (workspace.output.appending("bin/\(name)"), name)
        (libraries, lock) = ([workspace.output.appending("lib")], nil)
        (composition, trust) = (share.appending("bundle.json"), share.appending("trust.json"))
        catalogs = Self.catalogs(beside: workspace.composition)
        (self.packages, built, self.isForDevelopment) = (nil, packages, isForDevelopment)
    }

    /// Takes a `bundle.json`, with the files beside it and the options of a command line.
    ///
    /// - Throws: ``CommandError`` for a file that is missing.
    init(bundleJSON: FilePath, in parsed: ParsedCommand) throws {
        let folder = bundleJSON.parent
        func file(_ option: String, or name: String, remedy: String) throws -> FilePath {
            let path = try parsed.value(option).map { try CurrentFolder.resolve($0, in: ["bundletool", "app"]) }
            guard let path = path ?? Optional(folder.appending(name)), path.isFile else {
                throw CommandError.notThere(path ?? folder.appending(name), remedy: remedy)
            }
            return path
        }
        if let key = parsed.value("key") { throw CommandError(.usage, key, reason: "packagesAreSigned") }
        host =
            try parsed.value("host").map { try CurrentFolder.resolve($0, in: ["bundletool", "app"]) }
            ?? SDK.own().hostapp
        guard host.isFile else { throw CommandError.notThere(host, remedy: "hostProgram") }
        shareFolder = try Self.shareFolder(of: host)
        libraries = [host.parent, host.parent.parent.appending("lib")].filter(\.isFolder)
        (composition, catalogs) = (bundleJSON, Self.catalogs(beside: bundleJSON))
        trust = try file("trust", or: "trust.json", remedy: "hostTrust")
        let lock = folder.appending("bundle.lock")
        guard lock.isFile || parsed.flag("runtime-only") else { throw CommandError.notThere(lock, remedy: "lock") }
        self.lock = lock.isFile ? lock : nil
        packages = try parsed.value("packages").map { try CurrentFolder.resolve($0, in: ["bundletool", "app"]) }
        (built, isForDevelopment) = ([], false)
    }

    private static func catalogs(beside composition: FilePath) -> FilePath? {
        let file = composition.parent.appending("catalogs.json")
        return file.isFile ? file : nil
    }

    /// Asks a host for the name of its folder.
    private static func shareFolder(of host: FilePath) throws -> String {
        struct Facts: Decodable { let folder: String }
        let child = try ChildProcess(running: host, ["--version", "--json"], within: .seconds(60))
        guard case .exited(status: 0) = child.end, let facts = try? StrictJSON.decode(Facts.self, from: child.output)
        else { throw CommandError(.badInput, host, reason: "notHost") }
        return facts.folder
    }

    /// Copies the list of catalogs and their pinned roots into a folder.
    ///
    /// - Throws: ``CommandError`` for a root that is missing, `AtriumError` with code `sourcesInvalid`.
    func copyCatalogs(to folder: FilePath) throws {
        guard let catalogs else { return }
        let file = CatalogSourceFile(catalogs)
        for source in try file.read() {
            let root = file.root(of: source)
            guard root.isFile else { throw CommandError.notThere(root, remedy: "root") }
            try Files.copy(root, to: folder.appending(root.lastComponent))
        }
        try Files.copy(catalogs, to: folder.appending(catalogs.lastComponent))
    }

    /// Puts the packages into a folder: those of the workspace, or those of the lock, with their locked content.
    ///
    /// - Throws: ``CommandError`` for a package that is nowhere, `AtriumError` with code `lockMismatch` and those of catalogs.
    func copyPackages(to folder: FilePath) throws {
        try Files.makeFolder(folder)
        for package in built { try Files.copy(package, to: folder.appending(package.lastComponent)) }
        guard let lock, let locked = try AppLock.read(lock) else { return }
        try Files.withTemporaryFolder { states in
            let catalogs = try packages == nil ? sources(in: states) : []
            for bundle in locked.bundles {
                let (identity, name) = (bundle.identity, PackageFile.name(of: bundle.identity))
                var found = packages?.appending(name)
                for catalog in catalogs where found == nil {
                    found = try catalog.download(identity.identifier) { $0 == identity.version }?.path
                }
                guard let found, found.isFile else {
                    throw CommandError(
                        .notFound, identity, code: "packageMissing", reason: "lockedPackageMissing",
                        ["place": "\(packages ?? self.catalogs ?? "--packages")"])
                }
                try bundle.requireSame(SealedPackage(opening: found).digest)
                try Files.copy(found, to: folder.appending(name))
            }
        }
    }

    /// Opens the catalogs, whose states are in a folder.
    private func sources(in folder: FilePath) throws -> [ComponentSource] {
        guard let file = catalogs.map({ CatalogSourceFile($0) }) else { return [] }
        return try file.read().map { source in
            let root = try Files.bytes(of: file.root(of: source), limit: 1 << 20, remedy: "root")
            return try ComponentSource(
                source.address, root: root, folder: folder, channels: source.channels, authorities: source.authorities)
        }
    }
}
