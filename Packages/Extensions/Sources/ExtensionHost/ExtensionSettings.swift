public import ConfinementReporting
public import PluginCore
public import PluginExtension
public import PluginRuntime

/// The settings of a host for the extensions that it runs.
public struct ExtensionSettings: Sendable {
    /// The program `extension-runner`.
    public var runner: FilePath
    /// The user's languages in order of preference, as BCP 47 tags.
    public var languages: [String]
    /// Logs a message of an extension with its identifier and a level.
    public var log: HostServices.Log
    /// Receives a line that an extension has printed, with its identifier; by default, it is logged.
    public var output: @Sendable (String, String) -> Void
    /// The extension points that the host declares in addition to the standard ones.
    public var points: [ExtensionPointDeclaration]

    /// Creates settings.
    public init(
        runner: FilePath, languages: [String], points: [ExtensionPointDeclaration] = [], log: @escaping HostServices.Log
    ) {
        self.runner = runner
        self.languages = languages
        self.points = points
        self.log = log
        output = { log($0, .info, .verbatim($1)) }
    }
}

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
