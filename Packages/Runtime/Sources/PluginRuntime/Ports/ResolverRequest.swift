package import PluginCore

/// A request concerning one bundle.
package enum ResolverRequest: Hashable, Sendable {
    /// Install a bundle in this version, or in the newest compatible one.
    case install(BundleIdentifier, SemanticVersion? = nil)
    /// Update a bundle to the newest compatible version.
    case update(BundleIdentifier)
    /// Change a bundle to this version, whether older or newer.
    case rollBack(BundleIdentifier, to: SemanticVersion)
    /// Remove a bundle, and in a cascade the bundles that depend on it.
    case remove(BundleIdentifier, cascade: Bool = false)

    /// The identifier of the bundle.
    package var identifier: BundleIdentifier {
        switch self {
        case .install(let identifier, _), .update(let identifier), .rollBack(let identifier, _),
            .remove(let identifier, _):
            identifier
        }
    }

    /// The subject of an error: the bundle, with the version if the request has one.
    package var subject: String {
        switch self {
        case .install(let identifier, let version?), .rollBack(let identifier, let version):
            "\(identifier)@\(version)"
        case .install(let identifier, nil), .update(let identifier), .remove(let identifier, _): identifier.text
        }
    }

    /// The requested version, if any.
    package var version: SemanticVersion? {
        switch self {
        case .install(_, let version): version
        case .rollBack(_, let version): version
        case .update, .remove: nil
        }
    }
}
