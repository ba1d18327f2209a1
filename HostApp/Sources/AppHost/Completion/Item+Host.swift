import Console

/// The kinds of items that only a host can list.
extension Command.Item {
    /// An installed bundle.
    static let installed = Command.Item("installed")
    /// An installed bundle, with or without one of its versions.
    static let installedVersion = Command.Item("installedVersion")
    /// A bundle that can be installed, with or without one of its versions.
    static let offered = Command.Item("offered")
    /// A bundle that is installed or can be.
    static let known = Command.Item("known")
    /// A bundle or a version of it that is blocked.
    static let blocked = Command.Item("blocked")
    /// A bundle that is pinned.
    static let pinned = Command.Item("pinned")
    /// An address of the app.
    static let address = Command.Item("address")
    /// A target, or the address of an action.
    static let target = Command.Item("target")
    /// An action of the target that is the argument before.
    static let action = Command.Item("action")
    /// An installed extension.
    static let `extension` = Command.Item("extension")
    /// A place that accepts extensions.
    static let extensionPoint = Command.Item("extensionPoint")
    /// A team that is trusted.
    static let team = Command.Item("team")
    /// A published catalog of the sandbox.
    static let catalog = Command.Item("catalog")
    /// The report of a crash.
    static let crashReport = Command.Item("crashReport")
}
