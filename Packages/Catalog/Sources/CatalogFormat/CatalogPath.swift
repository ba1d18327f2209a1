import PluginRuntime
import BundleFormat
public import PluginCore
import TUFMetadata

/// The paths of a catalog's targets.
///
/// ```swift
/// CatalogPath.package(identity)                     // com.example.app.shop/com.example.app.shop-1.1.0.zip
/// CatalogPath.versions(of: identity.identifier)     // com.example.app.shop/versions.json
/// CatalogPath.providers(of: .target("Money"))       // providers/targets/Money.json
/// ```
public enum CatalogPath {
    /// Returns the path of a package.
    public static func package(_ identity: BundleIdentity) -> String {
        "\(identity.identifier)/\(PackageFile.name(of: identity))"
    }

    /// Returns the identity in the path of a package, or nil for any other path.
    public static func identity(ofPackage path: String) -> BundleIdentity? {
        guard let name = path.split(separator: "/").last,
            let identity = PackageFile.identity(named: String(name)), package(identity) == path
        else { return nil }
        return identity
    }

    /// Returns the path of the part of a package for a platform or build.
    public static func part(of identity: BundleIdentity, for platform: String) -> String {
        // No version has an underscore, so this is never the path of a package.
        "\(identity.identifier)/\(identity.identifier)-\(identity.version)_for_\(platform).zip"
    }

    /// Returns the path of the archive with a plugin's Interface.
    public static func interface(of identity: BundleIdentity) -> String {
        // No version has an underscore, so this is never the path of a package, and hosts don't look for it.
        "\(identity.identifier)/\(identity.identifier)-\(identity.version)\(interfaceEnding)"
    }

    /// Returns the identity in the path of an Interface, or nil for any other path.
    public static func identity(ofInterface path: String) -> BundleIdentity? {
        guard path.hasSuffix(interfaceEnding),
            let identity = identity(ofPackage: String(path.dropLast(interfaceEnding.count)) + ".zip")
        else { return nil }
        return identity
    }

    private static let interfaceEnding = "_interface.zip"

    /// Returns the path of the archive of an SDK.
    public static func sdk(_ sdk: CatalogSDK) -> String {
        // A plugin's identifier has a dot, so this is the folder of no plugin.
        "sdk/atrium-sdk-\(sdk.version)-\(sdk.platform).tar.gz"
    }

    /// Returns the path of the list of SDKs for a platform.
    public static func sdkVersions(for platform: String) -> String { "sdk/\(platform).json" }

    /// Returns the path of a package's icon.
    public static func icon(of identity: BundleIdentity) -> String {
        "\(identity.identifier)/\(identity.identifier)-\(identity.version).png"
    }

    /// Returns the path of the delta from a version of the same bundle to a package, or to its part for a platform.
    public static func delta(
        from base: SemanticVersion, to identity: BundleIdentity, for platform: String? = nil
    ) -> String {
        // No version has an underscore, so two pairs of versions never have the same path.
        let part = platform.map { "_for_\($0)" } ?? ""
        return "\(identity.identifier)/\(identity.identifier)-\(base)_to_\(identity.version)\(part).delta"
    }

    /// Returns the path of the list of a bundle's versions.
    public static func versions(of identifier: BundleIdentifier) -> String {
        "\(identifier)/versions.json"
    }

    /// Returns the path of the list of bundles that may meet a need.
    public static func providers(of need: CatalogNeed) -> String {
        let (folder, name) =
            switch need {
            case .route(let firstSegment): ("routes", firstSegment)
            case .target(let name): ("targets", name)
            case .service(let name): ("services", name)
            }
        return "providers/\(folder)/\(fileName(name)).json"
    }

    /// The longest name in bytes that is part of a file's name. With the hash of the file before it, it fits in 255 bytes.
    private static let nameLimit = 128

    /// Returns a name as part of a file's name: percent-encoded, or its digest if it is too long.
    ///
    /// An encoded name has no equals sign, so the two cannot be confused.
    private static func fileName(_ name: String) -> String {
        let encoded = PercentCoding.encode(name)
        guard encoded.utf8.count > nameLimit else { return encoded }
        guard let digest = try? HashAlgorithm.sha256.digest(of: Array(name.utf8)) else { return encoded }
        return "sha256=\(digest)"
    }
}
