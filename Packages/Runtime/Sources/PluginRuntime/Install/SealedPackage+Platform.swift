import BundleFormat
import HostSystem
import PluginCore

extension SealedPackage {
    /// Checks that a package with libraries has those for this host's platform.
    ///
    /// A package without any library is reported in detail when its libraries are checked.
    ///
    /// - Throws: ``AtriumError`` with code `libraryMissing` and the platforms that the package has.
    func requirePlatform() throws(AtriumError) {
        guard !platforms.isEmpty, !platforms.contains(Platform.triple) else { return }
        guard seal.platforms.contains(Platform.triple) else { throw .otherPlatform(manifest.identity, platforms) }
        throw AtriumError(
            .libraryMissing, manifest.identity, reason: "otherPlatformPart",
            ["platforms": .list(platforms), "host": .text(Platform.triple)])
    }
}

extension AtriumError {
    /// The error for a version that has no libraries for this host's platform.
    static func otherPlatform(_ identity: BundleIdentity, _ platforms: [String]) -> AtriumError {
        AtriumError(
            .libraryMissing, identity, reason: "otherPlatforms",
            ["platforms": .list(platforms), "host": .text(Platform.triple)])
    }
}
