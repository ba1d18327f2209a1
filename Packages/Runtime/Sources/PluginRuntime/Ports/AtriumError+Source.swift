public import PluginCore

// The codes of catalogs.
extension AtriumError.Code {
    /// A catalog whose metadata is not trusted, such as one without a pinned root, or with a wrong signature.
    public static let catalogUntrusted = Self("catalogUntrusted")
    /// A download that failed, or whose file is not the announced one.
    public static let downloadFailed = Self("downloadFailed")
    /// A question that a catalog can answer only after it has fetched something.
    public static let catalogNotFetched = Self("catalogNotFetched")
    /// A package that must be downloaded before it can be opened.
    public static let packageNotDownloaded = Self("packageNotDownloaded")
    /// A file that doesn't exist.
    public static let fileUnknown = Self("fileUnknown")
}
