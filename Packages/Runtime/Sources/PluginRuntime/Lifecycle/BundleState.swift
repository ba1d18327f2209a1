public import PluginCore

/// The state of one version of a bundle.
///
///     known -> downloading -> staged -> verified -> installed -> loaded -> active -> draining -> retired -> removed
///
/// A version that becomes active at the next start of a host is `waiting` before it is `installed`. After a rollback, a
/// `retired` version is `installed` again. A version that crashed or hung a host is `quarantined` until it is removed. A
/// version that is rejected becomes `removed` from its current state.
public enum BundleState: Hashable, Sendable {
    /// The version is in the catalog, and its installation begins.
    case known
    /// The version is being downloaded or extracted: the completed and the total number of bytes, and their content.
    case downloading(done: UInt64, total: UInt64, DownloadContent)
    /// The version is extracted completely in the staging folder.
    case staged
    /// The version has been verified, with the team that sealed it.
    case verified(team: String)
    /// The version is in place, and becomes active when a host starts next.
    case waiting
    /// The version is in place and is the active version in the registry.
    case installed(Arrival)
    /// The library is loaded in this process.
    case loaded
    /// The principal object has started and receives requests.
    case active
    /// The version receives no new requests; some calls are running, and some pages are open.
    case draining(calls: Int, pages: Int)
    /// This process doesn't use the version any longer, for the given reason.
    case retired(Retirement)
    /// The version crashed or hung a host for the given reason, and can't be used any longer.
    case quarantined(reason: ErrorReason)
    /// The version is deleted from the disk.
    case removed

    /// The ways in which a version becomes the active one.
    public enum Arrival: Hashable, Sendable {
        /// It was newly installed.
        case new
        /// It was staged, and adopted at the start of a host.
        case adopted
        /// It was active before, and was rolled back to.
        case returned
    }

    /// The reasons why a version isn't in use.
    public enum Retirement: Hashable, Sendable {
        /// Another version replaced it.
        case replaced
        /// No version of its bundle is in use.
        case withdrawn
        /// The session has ended.
        case ended
        /// Its process has ended, with the reason.
        case crashed(ErrorReason)
        /// It failed to start, with the reason.
        case refused(ErrorReason)
        /// It was removed from the registry.
        case released
    }
}

/// A state transition of one version of a bundle.
public struct LifecycleEvent: Hashable, Sendable {
    /// The version.
    public let identity: BundleIdentity
    /// The new state.
    public let state: BundleState
}

/// A closure that receives every state transition of every bundle, on the thread of the transition.
public typealias LifecycleObserver = @Sendable (LifecycleEvent) -> Void
