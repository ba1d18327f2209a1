public import PluginCore

extension AtriumError.Code {
    /// A crash report that does not exist.
    public static let crashUnknown = Self("crashUnknown")
}
