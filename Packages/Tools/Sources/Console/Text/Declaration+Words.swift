public import PluginCore

extension RouteDeclaration {
    /// The attributes that differ from the defaults, in words.
    ///
    /// For example `external`, `priority 7`, `deadline 2.5 s` or `may decline`.
    public var attributes: [String] {
        (exposure == .plugins ? [] : [exposure.rawValue]) + (priority == 0 ? [] : [localized("priority \(priority)")])
            + (deadline.map { [localized("deadline \(Self.spelling($0)) s")] } ?? [])
            + (mayDecline ? [localized("may decline")] : [])
    }

    private static func spelling(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}

extension ActionDeclaration {
    /// The name, with the exposure if it is not the default.
    ///
    /// For example `open (internal)`.
    public var words: String { exposure == .plugins ? name : "\(name) (\(exposure.rawValue))" }
}

extension BundleRequirement {
    /// The bundle and its versions, with a note if it is required only on demand.
    public var words: String {
        isOnDemand ? localized("\(identifier) \(versions) on demand") : "\(identifier) \(versions)"
    }
}

extension BundlePermission {
    /// The meaning, as a clause about the bundle.
    public var words: String {
        switch self {
        case .network: localized("may connect to other computers")
        @unknown default: localized("may use \(rawValue)")
        }
    }
}
