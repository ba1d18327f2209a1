public import PluginCore

// The codes of the checks of a library.
extension AtriumError.Code {
    /// A bundle without a library for this platform.
    public static let libraryMissing = Self("libraryMissing")
    /// A bundle whose linked library belongs to a bundle that is missing or has an unacceptable version.
    ///
    /// The reason names the chain of requirements.
    public static let dependencyUnmet = Self("dependencyUnmet")
}
