package import PluginCore

/// A library bundle that other bundles are linked with.
package struct SharedLibrary<Source: Sendable>: Sendable {
    /// The identity of the bundle.
    package let identity: BundleIdentity
    /// The name by which other libraries are linked with it.
    package let soname: String
    /// Its own requirements, including the libraries that it is linked with.
    let requirements: [BundleRequirement]
    /// The location of its library.
    package let source: Source

    package init(identity: BundleIdentity, soname: String, requirements: [BundleRequirement], source: Source) {
        self.identity = identity
        self.soname = soname
        self.requirements = requirements
        self.source = source
    }

    /// Creates the library of a manifest; fails for a bundle of another kind.
    package init?(_ manifest: Manifest, at source: Source) {
        guard manifest.kind == .lib, let entry = manifest.entry else { return nil }
        self.init(
            identity: manifest.identity, soname: entry, requirements: manifest.requirements, source: source)
    }
}

/// A bundle that another one requires.
package enum RequiredBundle<Source: Sendable>: Sendable {
    /// A library, to be loaded before the bundle that requires it.
    case library(SharedLibrary<Source>)
    /// A bundle of another kind, which no library is linked with.
    case other
}
