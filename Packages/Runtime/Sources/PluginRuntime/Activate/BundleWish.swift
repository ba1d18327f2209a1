public import PluginCore

/// What somebody wants of a bundle.
public enum BundleWish: Hashable, Sendable {
    /// It is to be there: in this version, or in the newest that goes together with the others.
    case install(String, SemanticVersion? = nil)
    /// It is installed, and is to be as new as goes together with the others.
    case update(String)

    /// Which bundle.
    public var identifier: String {
        switch self {
        case .install(let identifier, _), .update(let identifier): identifier
        }
    }

    var wish: Wish {
        switch self {
        case .install(let identifier, let version): .install(identifier, version)
        case .update(let identifier): .update(identifier)
        }
    }
}
