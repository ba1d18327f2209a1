public import PluginCore

/// A bundle whose principal object has started, with the lease that all it registers is under.
public struct LoadedBundle: Sendable {
    /// What the bundle handed out.
    public let principal: any BundleDelegate
    /// Its right to be reached.
    public let lease: Lease

    /// Joins the two.
    public init(principal: any BundleDelegate, lease: Lease) {
        self.principal = principal
        self.lease = lease
    }
}

/// A provider that also says under which lease a bundle runs, for whoever counts the calls into it.
public protocol LoadedBundleProvider: BundleProvider {
    /// A bundle, loaded on first use.
    ///
    /// - Throws: as `principal(of:)`.
    func loaded(_ identifier: String) async throws -> LoadedBundle

    /// Has what runs catch up with what is installed: what another process has replaced or removed by now is cut off when this
    /// returns. Asked before every request, so it costs next to nothing when nothing was changed.
    func catchUp() async
}

extension LoadedBundleProvider {
    /// Nothing: nobody else changes what is installed.
    public func catchUp() async {}
}
