public import PluginCore

/// An extension that a bundle contains, as its manifest declares it.
public struct ExtensionDeclaration: Hashable, Codable, Sendable {
    /// The identifier, which begins with the bundle's identifier and a dot.
    public let identifier: BundleIdentifier
    /// The identifier of the extension point.
    public let point: String
    /// The file name of the extension's library, which lies beside the bundle's.
    public let entry: String
    /// The display name.
    public let name: String
    /// The rule for the input that the extension accepts, as text, or nil for an extension that accepts any input.
    public let activation: String?
    /// The limits that are lower than those of the extension point, by their names in ``ExtensionLimits/values``.
    public let limits: [String: Double]

    /// Creates a declaration.
    public init(
        identifier: BundleIdentifier, point: String, entry: String, name: String, activation: String? = nil,
        limits: [String: Double] = [:]
    ) {
        self.identifier = identifier
        self.point = point
        self.entry = entry
        self.name = name
        self.activation = activation
        self.limits = limits
    }
}

/// An extension point as a bundle or a host declares it, without the types of its requests.
public struct ExtensionPointDeclaration: Hashable, Codable, Sendable {
    /// The identifier.
    public let identifier: String
    /// The limits for the processes of the point's extensions.
    public let limits: ExtensionLimits

    /// Creates a declaration.
    public init(identifier: String, limits: ExtensionLimits = ExtensionLimits()) {
        self.identifier = identifier
        self.limits = limits
    }
}

extension AtriumError.Code {
    /// An extension that no installed bundle contains.
    public static let extensionUnknown = Self("extensionUnknown")
}

/// A plugin that accepts extensions of other bundles.
///
/// ```swift
/// extension Shop: ExtensionPointProvider {
///     static var extensionPoints: [ExtensionPointDeclaration] {
///         ExtensionPoint<Bill, Receipt>("com.example.app.shop.payment")
///     }
/// }
/// ```
@MainActor
public protocol ExtensionPointProvider: BundleDelegate {
    /// The plugin's extension points, one ``ExtensionPoint`` per line.
    @DeclarationBuilder static var extensionPoints: [ExtensionPointDeclaration] { get }
}

extension PrincipalType {
    /// The extension points that the class declares.
    @MainActor
    public var extensionPoints: [ExtensionPointDeclaration] {
        (type as? any ExtensionPointProvider.Type)?.extensionPoints ?? []
    }
}
