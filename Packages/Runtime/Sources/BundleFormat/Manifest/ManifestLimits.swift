/// The limits of a manifest's size, which bound the work that anyone who offers a package can cause in a host.
enum ManifestLimits {
    /// The maximum length of a version, in bytes.
    ///
    /// After the longest identifier it is part of the package's file name, and with a part of the seal's digest it names a
    /// folder; names have at most 255 bytes.
    static let version = 122
    /// The highest data version, which is the name of a folder.
    static let dataVersion = 1_000_000
    static let routes = 8192
    /// The maximum number of expansions of all patterns together, each of which is a row of the registry.
    static let expansions = 16384
    /// The maximum length of a pattern, in bytes.
    static let pattern = 2048
    static let guards = 64
    static let targets = 1024
    /// The maximum number of actions of one target.
    static let actions = 1024
    static let requirements = 256
    static let services = 1024
    static let appGroups = 64
    static let extensions = 64
    static let extensionPoints = 64
    static let permissions = 64
    /// The maximum length of an extension's display name, in bytes.
    static let extensionName = 256
    /// The maximum length of a license expression, in bytes.
    static let license = 256
    /// The maximum length of the address of a web page, in bytes.
    static let homepage = 2048
    /// The maximum number of problems that are listed; further ones are only counted.
    static let problems = 50
}
