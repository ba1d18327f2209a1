import CatalogFormat
import Console
public import PluginCore
import PluginRuntime
import TUFMetadata
import TUFRepository

/// The next state of a catalog in a local folder, which is edited and then published as a whole.
///
/// ```swift
/// var editor = try CatalogEditor(folder: "repository")
/// try editor.add(CheckedPackage("com.example.app.shop-1.1.0.zip"))
/// try editor.publish(signedBy: &keys)
/// ```
public struct CatalogEditor: Sendable {
    /// The folder with `metadata` and `targets`.
    public let folder: FilePath
    /// The repository of roles, keys and targets.
    var repository: RepositoryEditor
    var index: DelegationIndex
    /// The lists of versions that were read, with their changes.
    var versions: [BundleIdentifier: CatalogVersions] = [:]
    var changedVersions: Set<BundleIdentifier> = []
    var providerChanges: [CatalogNeed: ProviderChange] = [:]
    /// The content of new targets, for the export of a team.
    var newContents: [(path: String, content: NewContent)] = []

    /// The bundles that a list of providers gets and loses.
    struct ProviderChange {
        var added: Set<BundleIdentifier> = []
        var removed: Set<BundleIdentifier> = []
    }

    /// The content of a new target.
    enum NewContent {
        case file(FilePath)
        case bytes([UInt8])
    }

    /// The time for which a publication waits for others of the same catalog.
    public static let patience = Duration.seconds(60)

    /// Opens a catalog. A folder without one becomes a new catalog when it is published.
    ///
    /// - Parameter patience: The time to wait until nobody else changes the catalog, who then waits for this value; `nil` for one that is
    ///   not published.
    /// - Throws: ``CommandError``.
    public init(folder: FilePath, waiting patience: Duration? = nil) throws {
        self.folder = folder
        repository = try Self.open(folder, patience)
        index = DelegationIndex([])
        try updateIndex()
    }

    private static func open(_ folder: FilePath, _ patience: Duration?) throws(CommandError) -> RepositoryEditor {
        let bar = ProgressBar(unit: .items)
        defer { bar.finish() }
        let deadline = ContinuousClock.now + (patience ?? .zero)
        while true {
            do throws(CommandError) {
                return try CatalogPublisher.repository(folder) { () throws(TUFError) in
                    try RepositoryEditor(folder: folder.string, isExclusive: patience != nil)
                }
            } catch {
                guard error.exitStatus == .tryLater, ContinuousClock.now < deadline else { throw error }
                bar.update(done: 0, total: nil, label: "waiting for another publication")
                PublisherFiles.pause()
            }
        }
    }

    /// Opens a catalog that must exist.
    ///
    /// - Parameter patience: As in ``init(folder:waiting:)``.
    /// - Throws: ``CommandError``.
    public init(existing folder: FilePath, waiting patience: Duration? = nil) throws {
        // Opening a repository creates its folder.
        guard PublisherFiles.exists(folder.appending("metadata/timestamp.json")) else {
            throw CommandError.noCatalog(folder)
        }
        try self.init(folder: folder, waiting: patience)
    }

    /// A Boolean value that indicates whether the catalog has never been published.
    public var isNew: Bool { repository.published == nil }

    /// A Boolean value that indicates whether there is something to publish.
    public var hasChanges: Bool {
        isNew || hasNewRoot || !repository.changedRoles.isEmpty || !changedVersions.isEmpty || !providerChanges.isEmpty
    }

    /// A Boolean value that indicates whether the keys of a top-level role have changed.
    public var hasNewRoot: Bool { repository.hasNewRoot }

    mutating func updateIndex() throws {
        index = DelegationIndex(try delegations())
        let bins = binCount
        // With many bins, the lengths and hashes of their metadata would be most of what a refresh reads.
        repository.snapshotHasHashes = bins <= 64
    }

    func delegations() throws -> [Delegation] {
        try inRepository { () throws(TUFError) in try repository.targets(of: "targets") }.delegations?.roles ?? []
    }

    /// The delegations to hashed bins.
    var bins: [Delegation] { ((try? delegations()) ?? []).filter(\.isBin) }

    /// The number of hashed bins.
    public var binCount: Int { bins.count }

    func inRepository<Result>(_ body: () throws(TUFError) -> Result) throws(CommandError) -> Result {
        try CatalogPublisher.repository(folder, body)
    }

    mutating func change(_ body: (inout RepositoryEditor) throws(TUFError) -> Void) throws(CommandError) {
        do throws(TUFError) {
            try body(&repository)
        } catch {
            throw .repository(error, folder)
        }
    }

    /// Returns the role that describes a target.
    func role(for path: String) throws -> String {
        try inRepository { () throws(TUFError) in try index.role(for: path) } ?? "targets"
    }

    /// Returns the description of a target, or nil for an unknown path.
    func target(_ path: String) throws -> TargetFile? {
        let role = try role(for: path)
        return try inRepository { () throws(TUFError) in try repository.targets(of: role) }[path]
    }

    mutating func addTarget(_ path: String, _ content: NewContent, custom: JSONObject?) throws {
        let role = try role(for: path)
        try change { (repository) throws(TUFError) in
            switch content {
            case .file(let file): try repository.addTarget(path, file: file.string, custom: custom, role: role)
            case .bytes(let bytes): try repository.addTarget(path, bytes: bytes, custom: custom, role: role)
            }
        }
        newContents.append((path, content))
    }

    mutating func removeTarget(_ path: String) throws {
        guard try target(path) != nil else { return }
        let role = try role(for: path)
        try change { (repository) throws(TUFError) in try repository.removeTarget(path, role: role) }
    }
}

extension Delegation {
    /// A Boolean value that indicates whether the role is one of the hashed bins, and not that of a team.
    var isBin: Bool {
        if case .hashPrefixes = scope { true } else { false }
    }
}

// The content of the catalog, for tools that compare a new version with it.
extension CatalogEditor {
    /// The bundles of which the catalog offers a version, sorted.
    ///
    /// - Throws: ``CommandError``.
    public func identifiers() throws -> [BundleIdentifier] {
        let ending = "/versions.json"
        let roles = ["targets"] + (try delegations()).map(\.name)
        let paths = try roles.flatMap { role in
            try inRepository { () throws(TUFError) in try repository.targets(of: role) }.paths
        }
        return Set(
            paths.filter { $0.hasSuffix(ending) }.compactMap { BundleIdentifier(String($0.dropLast(ending.count))) }
        ).sorted()
    }

    /// Returns the offered versions of a bundle, newest first.
    ///
    /// - Throws: ``CommandError``, or `AtriumError` with code `catalogInvalid`.
    public func offeredVersions(of identifier: BundleIdentifier) throws -> [SemanticVersion] {
        try versions(of: identifier).offered
    }

    /// Returns the manifest and the package of an offered version, or nil.
    ///
    /// - Throws: As ``offeredVersions(of:)``.
    public func offered(_ identity: BundleIdentity) throws -> (manifest: Manifest, package: FilePath)? {
        guard let entry = try entry(of: identity) else { return nil }
        return (entry.manifest, FilePath(try content(of: CatalogPath.package(identity))))
    }
}
