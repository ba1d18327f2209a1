/// How much a manifest may hold: whatever a host does for each of these, it does for everybody who offers a package.
enum ManifestLimits {
    /// Bytes of the version's text: behind the longest identifier it is in the name of the package's file, and with a part of
    /// the seal's digest it is the name of a folder; names have 255 bytes at most.
    static let version = 122
    static let routes = 8192
    /// The forms of all patterns together, each of which is a row of the registry.
    static let forms = 16384
    /// Bytes of one pattern.
    static let pattern = 2048
    static let guards = 64
    static let targets = 1024
    /// Of one target.
    static let actions = 1024
    static let requirements = 256
    static let services = 1024
    static let appGroups = 64
    /// Problems that are told; more are counted.
    static let problems = 50
}
