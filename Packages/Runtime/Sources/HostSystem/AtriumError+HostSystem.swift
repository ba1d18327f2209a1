public import PluginCore

// The codes of files, locks and libraries, and those of `isEnvironmental`.
extension AtriumError.Code {
    /// A disk without sufficient free space.
    public static let storageFull = Self("storageFull")
    /// A sandbox that cannot be read or written.
    public static let sandboxUnwritable = Self("sandboxUnwritable")
    /// A sandbox in an unsuitable location: its path is too long, or its file system forbids running code.
    public static let sandboxUnusable = Self("sandboxUnusable")
    /// A file of a kind that a command cannot read.
    public static let documentInvalid = Self("documentInvalid")
    /// A registry that cannot be read.
    public static let registryDamaged = Self("registryDamaged")
    /// A registry that was written by a newer host.
    public static let registryNewer = Self("registryNewer")
    /// A trust store that violates its rules.
    public static let trustInvalid = Self("trustInvalid")
    /// A library that the dynamic loader rejected.
    public static let libraryUnloadable = Self("libraryUnloadable")
    /// A version that this process cannot load in addition to the loaded one.
    public static let restartNeeded = Self("restartNeeded")
}
