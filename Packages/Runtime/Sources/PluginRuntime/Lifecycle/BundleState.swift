public import PluginCore

/// Where one version of a bundle stands on its way from the catalog to its end.
///
///     known -> downloading -> staged -> verified -> installed -> loaded -> active -> draining -> retired -> removed
///
/// Beside that road, one that is to become active when a host starts next is `waiting` before it is `installed`; one that is gone
/// back to is `installed` again after it was `retired`; and one that brought a host down is `quarantined` until it is removed.
/// What is refused on its way is `removed` from where it is.
public enum BundleState: Hashable, Sendable {
    /// A catalog offers it, and it is about to come.
    case known
    /// It is being copied or unpacked; bytes done and bytes in all.
    case downloading(done: UInt64, total: UInt64)
    /// It lies, whole, where half-done work lies.
    case staged
    /// It has been judged and is what it claims to be: sealed by this team.
    case verified(team: String)
    /// It lies in its place, and becomes active when a host starts next.
    case waiting
    /// It lies in its place, and the registry says that it is the version in use.
    case installed(Arrival)
    /// Its library is in the process.
    case loaded
    /// Its principal object has started; it is reached by routes and targets.
    case active
    /// It is not reached any more; as many calls are in flight, and as many of its pages live.
    case draining(calls: Int, pages: Int)
    /// This process has nothing of it in use, for this reason.
    case retired(Retirement)
    /// It brought a host down by what the reason tells, and is not to be had any more.
    case quarantined(reason: String)
    /// It is gone from the disk.
    case removed

    /// How a version has become the one in use.
    public enum Arrival: Hashable, Sendable {
        /// It was brought.
        case new
        /// It was there, and has waited for a host to start.
        case adopted
        /// It was in use before, and was gone back to.
        case returned
    }

    /// Why a version is not in use.
    public enum Retirement: Hashable, Sendable {
        /// Another version is in use in its place.
        case replaced
        /// No version of its bundle is in use.
        case withdrawn
        /// The session has ended.
        case ended
        /// It did not start; in its own words.
        case refused(String)
        /// The registry has let go of it.
        case released
    }
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
