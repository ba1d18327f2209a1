import BundleFormat
public import CatalogFormat
public import PluginCore
import PluginRuntime

/// A package that a host would read: its archive, its manifest and its contents agree with its seal.
///
/// Each host decides by itself which signers it trusts.
public struct CheckedPackage: Sendable {
    /// The path of the package.
    public let path: FilePath
    /// The entry that describes it.
    public var entry: CatalogEntry
    /// The content of its icon, or nil.
    let icon: [UInt8]?
    /// The files of its parts and of the deltas to it, by the paths of their targets.
    var files: [String: FilePath] = [:]
    /// The package if it has the libraries of several platforms, of which parts are made.
    let severalPlatforms: SealedPackage?

    /// Checks a package completely.
    ///
    /// - Parameters:
    ///   - path: The path of the package.
    ///   - channel: The channel.
    ///   - rollout: The share of installations to which the version is offered, in percent.
    ///   - converters: The converters that its hosts register in addition to the standard ones.
    /// - Throws: `AtriumError` with code `fileUnknown`, `packageInvalid`, `manifestInvalid`, `unsigned`, `sealBroken` or `catalogInvalid`,
    ///   or ``PublisherError``.
    public init(
        _ path: FilePath, channel: String = CatalogEntry.stableChannel, rollout: Int = 100, converters: [String] = []
    ) throws {
        let package = try SealedPackage(opening: path, registeredConverters: converters)
        try package.verifyContents()
        self.path = path
        entry = try CatalogEntry(of: package, channel: channel, rollout: rollout)
        let (contained, sealed) = (package.platforms, package.seal.platforms)
        guard contained == sealed else {
            throw PublisherError.partOfPackage(entry.manifest.identity, contained: contained, sealed: sealed)
        }
        severalPlatforms = sealed.count > 1 ? package : nil
        icon = try package.icon()
        let manifest = entry.manifest
        let libraries = [manifest.entry].compactMap(\.self) + manifest.extensions.map(\.entry)
        guard libraries.isEmpty || !entry.platforms.isEmpty else {
            throw PublisherError.librariesMissing(manifest.identity, libraries)
        }
    }
}
