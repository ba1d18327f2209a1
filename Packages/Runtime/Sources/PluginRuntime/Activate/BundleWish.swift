public import PluginCore

/// What somebody wants of a bundle.
public enum BundleWish: Hashable, Sendable {
    /// It is to be there: in this version, or in the newest that goes together with the others.
    case install(String, SemanticVersion? = nil)
    /// It is installed, and is to be as new as goes together with the others. That all newer packages are of no use is a failure,
    /// unless it may stay as it is then: who updates everything has not asked for this one.
    case update(String, mayStay: Bool = false)

    /// Which bundle.
    public var identifier: String {
        switch self {
        case .install(let identifier, _), .update(let identifier, _): identifier
        }
    }

    /// A Boolean value that indicates whether it is a failure that nothing comes of it for the packages' fault alone. What is to be there, and is, may stay.
    var needsPackage: Bool { if case .update(_, mayStay: false) = self { true } else { false } }

    /// A Boolean value that indicates whether it is to become as new as can be.
    var isUpdate: Bool { if case .update = self { true } else { false } }

    var wish: Wish {
        switch self {
        case .install(let identifier, let version): .install(identifier, version)
        case .update(let identifier, _): .update(identifier)
        }
    }
}

extension [BundleWish] {
    /// The bundles that are to be there, rather than to be updated.
    var installs: [String] {
        compactMap { if case .install(let identifier, _) = $0 { identifier } else { nil } }
    }

    /// The versions that are to be there by name.
    var namedVersions: Set<BundleIdentity> {
        Set(
            compactMap { wish in
                guard case .install(let identifier, let version?) = wish else { return nil }
                return BundleIdentity(identifier: identifier, version: version)
            })
    }
}
