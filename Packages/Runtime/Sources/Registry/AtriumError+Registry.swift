public import PluginCore

// The codes of changes that the registry rejects.
extension AtriumError.Code {
    /// Two bundles that provide a target with the same name.
    public static let targetConflict = Self("targetConflict")
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
}
