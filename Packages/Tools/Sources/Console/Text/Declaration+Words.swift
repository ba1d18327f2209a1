public import PluginCore

extension RouteDeclaration {
    /// What it says beyond what a route that is silent means, in words: `external`, `priority 7`, `deadline 2.5 s`,
    /// `may decline`.
    public var wishes: [String] {
        (exposure == .plugins ? [] : [exposure.rawValue]) + (priority == 0 ? [] : ["priority \(priority)"])
            + (deadline.map { ["deadline \(Self.spelling($0)) s"] } ?? []) + (mayDecline ? ["may decline"] : [])
    }

    private static func spelling(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}

extension ActionDeclaration {
    /// Its name, and who may call it when that is not every plugin: `open (internal)`.
    public var words: String { exposure == .plugins ? name : "\(name) (\(exposure.rawValue))" }
}

extension BundleRequirement {
    /// What a table shows: bundle and versions, and when it is needed unless that is always.
    public var words: String { "\(identifier) \(versions)" + (isOnDemand ? " on demand" : "") }
}
