public import PluginCore

// The codes of manifests, packages and seals.
extension AtriumError.Code {
    /// A manifest that breaks one or more rules. The error lists all of them.
    public static let manifestInvalid = Self("manifestInvalid")
    /// A package that is not a complete, safe archive of a single bundle.
    public static let packageInvalid = Self("packageInvalid")
    /// A package or bundle without a seal, or with a seal that is not signed.
    public static let unsigned = Self("unsigned")
    /// A signature that is malformed or does not belong to the key that it names.
    public static let signatureInvalid = Self("signatureInvalid")
    /// A key file that cannot be read, or not with this password.
    public static let keyInvalid = Self("keyInvalid")
}
