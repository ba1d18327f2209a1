public import PluginCore

// The codes of catalogs.
extension AtriumError.Code {
    /// Data of a catalog that breaks the rules of its format. The error lists all problems.
    public static let catalogInvalid = Self("catalogInvalid")
    /// A downloaded package that is not the one that the catalog describes.
    public static let catalogMismatch = Self("catalogMismatch")
}
