internal import CSystem
package import PluginCore

/// The bundles whose libraries are in this process.
package enum CodeOwners {
    /// Adds a library, before it is opened: its constructors are code of the bundle too.
    ///
    /// Without memory for it its code is nobody's, which is no reason not to load it.
    ///
    /// - Parameter image: the name under which the loader will have the library.
    package static func add(_ image: String, owner: BundleIdentity) {
        _ = code_owners_add(image, owner.description)
    }
}
