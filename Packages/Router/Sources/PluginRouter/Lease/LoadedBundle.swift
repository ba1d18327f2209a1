public import PluginCore

/// A started bundle: its principal object and the lease for its registrations.
public struct LoadedBundle: Sendable {
    /// The principal object.
    public let principal: Principal
    /// The lease of the bundle.
    public let lease: Lease

    /// Creates a loaded bundle.
    public init(principal: Principal, lease: Lease) {
        self.principal = principal
        self.lease = lease
    }
}

/// A bundle provider that also returns the leases of bundles, so that calls into them can be counted.
public protocol LoadedBundleProvider: BundleProvider {
    /// Returns a bundle, loading it on first use.
    ///
    /// - Throws: The errors of `principal(of:)`.
    func loaded(_ identifier: String) async throws -> LoadedBundle

    /// Unloads the bundles that another process has replaced or removed by now.
    ///
    /// This is called before every request, so it must be fast if nothing has changed.
    func catchUp() async
}

extension LoadedBundleProvider {
    /// Does nothing, for providers whose bundles no other process changes.
    public func catchUp() async {}
}
