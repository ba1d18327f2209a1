import BundleFormat
import CatalogFormat
import PageLayouts
public import PluginCore
public import PluginRuntime
import Registry

extension Host {
    /// Returns the icon of an active version, or else of a version in the catalog, as the content of a PNG file.
    ///
    /// It is the resource `icon.png`, for an active version in the user's language. Nothing is loaded. The content is that of a trusted
    /// signature: the seal of the bundle, or the metadata of a published catalog. It may still be no image.
    ///
    /// - Returns: `nil` if the version has no icon that a catalog could show.
    /// - Throws: ``AtriumError`` if the icon cannot be read or fetched, or must not be used.
    @concurrent
    public func icon(of identity: BundleIdentity) async throws -> [UInt8]? {
        if let bundle = try registry.active.version(of: identity.identifier), bundle.identity == identity {
            return try icon(of: bundle)
        }
        let package = try await search { try $0.catalog.package(identity) }
        if let fetchIcon = package.fetchIcon { return try await fetchIcon() }
        return package.download == nil ? try policy.planner.sealed(package).icon() : nil
    }

    private func icon(of bundle: PluginBundle) throws(AtriumError) -> [UInt8]? {
        let sealed = SealedResources(of: bundle, in: sandbox)
        let resources = BundleResources(root: sealed.root, languages: languages) {
            name, limit throws(AtriumError) in
            try sealed.bytes(of: name, limit: min(limit, CatalogLimits.iconSize))
        } onRefusedTexts: { _ in
        }
        do {
            return try resources.file("icon.png", scale: 1).bytes
        } catch {
            if error.code == .resourceUnknown { return nil }
            throw error
        }
    }
}
