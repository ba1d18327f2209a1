import PluginCore

extension BundleIdentifier {
    /// Creates the identifier of the bundle that owns a route, a target or a service, which a router knows by its text.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` for the host and other owners that are no bundle.
    init(owner: String) throws(AtriumError) {
        guard let identifier = Self(owner) else { throw AtriumError(.bundleNotInstalled, owner) }
        self = identifier
    }
}
