internal import PluginCore

/// What somebody wants of one bundle.
enum Wish: Hashable, Sendable {
    /// It is to be there: in this version, or in the newest that goes together with the others.
    case install(String, SemanticVersion? = nil)
    /// It is to be as new as goes together with the others.
    case update(String)
    /// It is to be this version, whatever it is now.
    case rollBack(String, to: SemanticVersion)
    /// It is to go; with `cascade` whoever cannot do without it goes too.
    case remove(String, cascade: Bool = false)

    /// Which bundle.
    var identifier: String {
        switch self {
        case .install(let identifier, _), .update(let identifier), .rollBack(let identifier, _),
            .remove(let identifier, _):
            identifier
        }
    }

    /// What an error about it names: the bundle, and the version if the wish has one.
    var subject: String {
        switch self {
        case .install(let identifier, let version?), .rollBack(let identifier, let version):
            "\(identifier)@\(version)"
        case .install(let identifier, nil), .update(let identifier), .remove(let identifier, _): identifier
        }
    }

    /// The one version that it leaves a choice of, if so.
    var version: SemanticVersion? {
        switch self {
        case .install(_, let version): version
        case .rollBack(_, let version): version
        case .update, .remove: nil
        }
    }
}
