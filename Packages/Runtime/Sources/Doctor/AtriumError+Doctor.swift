public import PluginCore

// The code of a composition, which the checkup explains.
extension AtriumError.Code {
    /// A composition file that violates its rules.
    public static let compositionInvalid = Self("compositionInvalid")
}
