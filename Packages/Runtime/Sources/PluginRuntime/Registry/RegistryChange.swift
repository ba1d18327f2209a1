import PluginCore

/// A version that lies whole in its place, and what its manifest says.
struct PlacedVersion: Sendable {
    let bundle: PluginBundle
    let manifest: Manifest
    /// The manifest's file.
    let source: [UInt8]
    /// By which request it was brought; `nil` when somebody asked for it by name.
    var supply: String?
    /// Why the bundle comes; `nil` when it keeps the reason that it has.
    var reason: InstallReason?
}

/// What is done to one bundle in a transaction of the registry.
enum RegistryChange: Sendable {
    /// The version becomes active; the one before is kept to go back to.
    case activate(PlacedVersion)
    /// The version is kept, and becomes active when a host starts next.
    case stage(PlacedVersion)
    /// The version is not to become active; nothing else changes.
    case unstage(PluginBundle)
    /// The previous version becomes active; the one it replaces becomes the previous one, and is not updated to again when the user
    /// asked for the rollback.
    case rollBack(to: PluginBundle, Manifest, isByUser: Bool = false)
    /// All versions go; those that brought a host down are put away, each for a reason. What the user removes does not come back by
    /// itself.
    case remove(String, barring: [PluginBundle: String] = [:], isByUser: Bool = false)
    /// All versions go, as if they never had been there; but not of what is no longer the request's that has brought it.
    case takeBack(String, from: String)
    /// The version is put away, for a reason; the one before takes its place, with its manifest, or none does.
    case quarantine(PluginBundle, reason: String, then: (PluginBundle, Manifest)?)

    /// Which bundle.
    var identifier: String {
        switch self {
        case .activate(let version), .stage(let version): version.bundle.identity.identifier
        case .rollBack(let bundle, _, _), .quarantine(let bundle, _, _), .unstage(let bundle):
            bundle.identity.identifier
        case .remove(let identifier, _, _), .takeBack(let identifier, _): identifier
        }
    }
}
