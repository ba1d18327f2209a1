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

    /// Adds a library by its place among those that a host has sent, because only the host knows their bundles.
    ///
    /// - Parameter image: As in ``add(_:owner:)``.
    package static func add(_ image: String, number: Int) {
        _ = code_owners_add(image, name(ofLibrary: number))
    }

    /// Returns the owner's name of the library at a place among those that a host has sent.
    package static func name(ofLibrary number: Int) -> String { "library-\(number)" }
}
