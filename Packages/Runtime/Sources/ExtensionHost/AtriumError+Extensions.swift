public import PluginCore

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
