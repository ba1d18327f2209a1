public import ConfinementReporting
public import PluginCore
public import PluginExtension

/// An extension point at which extensions can be installed.
public struct OfferedExtensionPoint: Hashable, Sendable {
    /// The identifier and the limits.
    public let declaration: ExtensionPointDeclaration
    /// The bundle that declares the point, or nil for the host.
    public let bundle: BundleIdentifier?
}

/// The result of a request to an extension.
public struct ExtensionResult: Sendable {
    /// The output of the extension point's contract, as JSON.
    public let output: CodedValue
    /// The items that the extension returned.
    public let items: [ExtensionItem]
    /// The rights that the kernel has taken from the extension's process.
    public let confinement: ConfinementReport
}

extension AtriumError.Code {
    /// An extension that the user has disabled.
    public static let extensionDisabled = Self("extensionDisabled")
    /// An extension that does not accept an input.
    public static let extensionInactive = Self("extensionInactive")
    /// An extension whose code and manifest name different extension points, or that belongs to another point than the request.
    public static let extensionMismatch = Self("extensionMismatch")
    /// An extension point that neither the host nor an installed bundle declares.
    public static let extensionPointUnknown = Self("extensionPointUnknown")
}

extension AtriumError {
    /// Returns the error for an extension of another extension point.
    static func mismatch(_ identifier: BundleIdentifier, declared: String, found: String) -> AtriumError {
        AtriumError(
            .extensionMismatch, identifier, reason: "extensionPointDiffers",
            ["declared": .text(declared), "found": .text(found)])
    }
}
