import PluginCore
import Registry

/// A change that an install transaction makes, as planned.
struct InstallPlan {
    /// The damaged rollback targets, which are repaired without becoming active.
    let kept: [PluginBundle]
    let requests: [InstallRequest]
    let sealed: SealedOffers
    let change: ResolvedChange

    /// The requests that need no other version.
    var staying: [InstallRequest] {
        let moving = Set(change.steps.map(\.identifier))
        return requests.filter { !moving.contains($0.identifier) }
    }
}
