import CatalogFormat
public import PluginCore
import TUFMetadata
import TUFRepository

// The content of the catalog, for tools that compare a new version with it.
extension CatalogEditor {
    /// The bundles of which the catalog offers a version, sorted.
    ///
    /// - Throws: ``PublisherError``.
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
    /// - Throws: ``PublisherError``, or `AtriumError` with code `catalogInvalid`.
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
