import CatalogFormat
import Console
import Glibc
import HostSystem
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
    /// The lists of versions with changes, each of which is written once for each publication.
    var versions: [BundleIdentifier: CatalogVersions] = [:]
    /// The lists of providers with changes, which are written in the same way.
    var providers: [CatalogNeed: CatalogProviders] = [:]
    /// The content of new targets, for the export of a team.
    var newContents: [(path: String, content: NewContent)] = []

    /// The content of a new target.
    enum NewContent {
        case file(FilePath)
        case bytes([UInt8])
    }

    /// The time for which a publication waits for others of the same catalog.
    private static let patience = Duration.seconds(60)

    /// Opens a catalog. A folder without one becomes a new catalog when it is published.
    ///
    /// - Parameter isExclusive: Whether to wait until nobody else changes the catalog, who then waits for this value.
    /// - Throws: ``CommandError``.
    public init(folder: FilePath, isExclusive: Bool = false) throws {
        self.folder = folder
        repository = try Self.open(folder, isExclusive)
        try updateSnapshotHashes()
    }

    private static func open(_ folder: FilePath, _ isExclusive: Bool) throws -> RepositoryEditor {
        let bar = ProgressBar(unit: .items)
        defer { bar.finish() }
        let deadline = ContinuousClock.now + (isExclusive ? patience : .zero)
        while true {
            do {
                return try reporting(folder) {
                    try RepositoryEditor(folder: folder.string, isExclusive: isExclusive)
                }
            } catch let error as CommandError {
                guard error.exitStatus == .tryLater, ContinuousClock.now < deadline else { throw error }
                bar.update(done: 0, total: nil, label: "waiting for another publication")
                usleep(50_000)
            }
        }
    }

    /// Opens a catalog that must exist.
    ///
    /// - Parameter isExclusive: As in ``init(folder:isExclusive:)``.
    /// - Throws: ``CommandError``.
    public init(existing folder: FilePath, isExclusive: Bool = false) throws {
        // Opening a repository creates its folder.
        guard access(folder.appending("metadata/timestamp.json").string, F_OK) == 0 else {
            throw CommandError.noCatalog(folder)
        }
        try self.init(folder: folder, isExclusive: isExclusive)
    }

    /// A Boolean value that indicates whether the catalog has never been published.
    public var isNew: Bool { repository.published == nil }

    /// A Boolean value that indicates whether there is something to publish.
    public var hasChanges: Bool {
        isNew || hasNewRoot || !repository.changedRoles.isEmpty || !versions.isEmpty || !providers.isEmpty
    }

    /// A Boolean value that indicates whether the keys of a top-level role have changed.
    public var hasNewRoot: Bool { repository.hasNewRoot }

    mutating func updateSnapshotHashes() throws {
        // With many bins, the lengths and hashes of their metadata would be most of what a refresh reads.
        repository.snapshotHasHashes = try delegations().count(where: \.isBin) <= 64
    }

    func delegations() throws -> [Delegation] { try targets(of: "targets").delegations?.roles ?? [] }

    /// Returns the targets of a role.
    func targets(of role: String) throws -> Targets {
        try reporting(folder) { try repository.targets(of: role) }
    }

    mutating func change(_ body: (inout RepositoryEditor) throws -> Void) throws {
        try reporting(folder) { try body(&repository) }
    }

    /// Changes roles and their keys.
    mutating func changeRoles(_ body: (inout RepositoryEditor) throws -> Void) throws {
        try change(body)
        try updateSnapshotHashes()
    }

    /// Returns the role that describes a target.
    func role(for path: String) throws -> String {
        try reporting(folder) { try targets(of: "targets").delegations?.roles(covering: path).first?.name } ?? "targets"
    }

    /// Returns the description of a target, or nil for an unknown path.
    func target(_ path: String) throws -> TargetFile? { try targets(of: role(for: path))[path] }

    /// Returns the path of the file with the content of a target.
    func content(of path: String) throws -> String {
        let role = try role(for: path)
        return try reporting(folder) { try repository.file(ofTarget: path, role: role) }
    }

    mutating func addTarget(_ path: String, _ content: NewContent, custom: JSONObject? = nil) throws {
        let role = try role(for: path)
        try change {
            switch content {
            case .file(let file): try $0.addTarget(path, file: file.string, custom: custom, role: role)
            case .bytes(let bytes): try $0.addTarget(path, bytes: bytes, custom: custom, role: role)
            }
        }
        newContents.append((path, content))
    }

    mutating func removeTarget(_ path: String) throws {
        guard try target(path) != nil else { return }
        let role = try role(for: path)
        try change { try $0.removeTarget(path, role: role) }
    }

    /// Writes a list as a target, or removes it if it is empty.
    mutating func setList(_ path: String, _ list: JSONObject, count: Int, limit: Int) throws {
        guard count <= limit else {
            throw CommandError(.badInput, path, reason: "catalogFull", ["limit": .integer(limit)])
        }
        guard count > 0 else { return try removeTarget(path) }
        try addTarget(path, .bytes(JSONValue.object(list).text), custom: list)
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
        let paths = try (["targets"] + delegations().map(\.name)).flatMap { try targets(of: $0).paths }
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
