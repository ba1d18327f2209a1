public import PluginCore

/// Where one version of a bundle stands on its way from the catalog to its end.
///
///     known -> downloading -> staged -> verified -> installed -> loaded -> active -> draining -> retired -> removed
public enum BundleState: Hashable, Sendable {
    /// A catalog offers it.
    case known
    /// It is being copied or unpacked; bytes done and bytes in all.
    case downloading(done: UInt64, total: UInt64)
    /// It lies, whole, where half-done work lies.
    case staged
    /// It has been judged and is what it claims to be.
    case verified
    /// It lies in its place and the registry names it.
    case installed
    /// Its library is in the process.
    case loaded
    /// Its principal object has started; it is reached by routes and targets.
    case active
    /// It is not reached any more; its pages and calls finish.
    case draining
    /// Nothing of it is in use.
    case retired
    /// It is gone from the disk.
    case removed
}

/// A step of one version of a bundle, told to whoever watches.
public struct LifecycleEvent: Hashable, Sendable {
    /// Which bundle, in which version.
    public let identity: BundleIdentity
    /// Where it stands now.
    public let state: BundleState
}

/// Hears of every step of every bundle, on whatever thread the step was made.
public typealias LifecycleObserver = @Sendable (LifecycleEvent) -> Void
