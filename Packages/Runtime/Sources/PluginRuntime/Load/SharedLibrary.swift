import PluginCore

/// A bundle of kind `lib`, as whoever looks for one needs to know it.
struct SharedLibrary<Source: Sendable>: Sendable {
    /// Which bundle, in which version.
    let identity: BundleIdentity
    /// What others are linked with.
    let soname: String
    /// What it is linked with itself, and what else it requires.
    let requirements: [BundleRequirement]
    /// Where its library is.
    let source: Source

    init(identity: BundleIdentity, soname: String, requirements: [BundleRequirement], source: Source) {
        self.identity = identity
        self.soname = soname
        self.requirements = requirements
        self.source = source
    }

    /// The library of a manifest; `nil` for a bundle of another kind.
    init?(_ manifest: Manifest, at source: Source) {
        guard manifest.kind == .lib, let entry = manifest.entry else { return nil }
        self.init(
            identity: manifest.identity, soname: entry, requirements: manifest.requirements, source: source)
    }
}

/// What is there under an identifier that is required.
enum RequiredBundle<Source: Sendable>: Sendable {
    /// A library, to be loaded before who requires it.
    case library(SharedLibrary<Source>)
    /// A bundle of another kind, which the loader has nothing to do with.
    case other
}
