internal import PluginCore

/// The state that all pages of the plugin share.
struct ShopEnvironment: Sendable {
    let context: BundleContext
    let catalogue: Catalogue
    let release: Release

    /// The texts in the user's language.
    var strings: BundleResources { context.resources }
}
