public import PluginCore

/// An extension point at which extensions can be installed.
public struct OfferedExtensionPoint: Hashable, Sendable {
    /// The identifier and the limits.
    public let declaration: ExtensionPointDeclaration
    /// The bundle that declares the point, or nil for the host.
    public let bundle: BundleIdentifier?
}
