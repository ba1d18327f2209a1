import HostSystem
import PluginRuntime
public import CatalogFormat
public import PluginCore
import TUF
import TUFMetadata

/// A file of a catalog that only builds need, with what signed metadata say about it.
public struct RemoteComponent<Description: Sendable>: Sendable {
    /// The description.
    public let description: Description
    let target: FoundTarget

    /// The length in bytes.
    public var length: Int { target.file.length }
}

// Components are looked up by their paths, so the metadata of one role are enough, and hosts fetch nothing for them.
extension RemoteCatalog {
    /// Returns the Interface of a version of a plugin; `nil` if it was published without one.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, `catalogUntrusted` or `catalogInvalid`.
    public func interface(of identity: BundleIdentity) async throws(AtriumError) -> RemoteComponent<CatalogInterface>? {
        try await component(at: CatalogPath.interface(of: identity), CatalogInterface.init(custom:path:))
    }

    /// Returns the versions of the SDK for a platform, newest first.
    ///
    /// - Throws: As ``interface(of:)``.
    public func sdkVersions(for platform: String) async throws(AtriumError) -> [SemanticVersion] {
        let path = CatalogPath.sdkVersions(for: platform)
        return try await component(at: path, CatalogSDKVersions.init(custom:path:))?.description.versions ?? []
    }

    /// Returns an SDK; `nil` if the catalog does not have it.
    ///
    /// - Throws: As ``interface(of:)``.
    public func sdk(
        _ version: SemanticVersion, for platform: String
    ) async throws(AtriumError) -> RemoteComponent<CatalogSDK>? {
        guard let sdk = CatalogSDK(version: version, platform: platform, swift: "") else { return nil }
        return try await component(at: CatalogPath.sdk(sdk), CatalogSDK.init(custom:path:))
    }

    /// Downloads a component, and returns the path of the file, whose length and digest are those of the signed metadata.
    ///
    /// - Throws: ``AtriumError`` with code `downloadFailed`, and the errors of ``interface(of:)``.
    public func fetch(_ component: RemoteComponent<some Sendable>) async throws(AtriumError) -> FilePath {
        let (target, metadata) = (component.target, try await repository.state().metadata)
        let digest = target.file.hashes.known[.sha256] ?? ""
        let file = target.path.split(separator: "/").last.map(String.init) ?? ""
        let name = "\(digest.prefix(12))-\(file)"
        do {
            try await downloads.fetch(target, as: name, metadata)
        } catch {
            throw AtriumError(
                .downloadFailed, file, reason: "downloadBroken", ["detail": .text(error.description)])
        }
        return downloads.path(named: name)
    }

    private func component<Description>(
        at path: String, _ read: (JSONObject, String) throws(AtriumError) -> Description
    ) async throws(AtriumError) -> RemoteComponent<Description>? {
        guard let found = try await repository.find(path, in: repository.state().metadata) else { return nil }
        return RemoteComponent(description: try read(found.file.custom ?? JSONObject(), path), target: found)
    }
}
