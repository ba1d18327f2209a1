public import ConfinementReporting
public import PluginCore

/// The result of a request to an extension.
public struct ExtensionResult: Sendable {
    /// The output of the extension point's contract, as JSON.
    public let output: CodedValue
    /// The items that the extension returned.
    public let items: [ExtensionItem]
    /// The rights that the kernel has taken from the extension's process.
    public let confinement: ConfinementReport
}
