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

/// The limits for the process of an extension. The host ends a process that exceeds one and reports which.
public struct ExtensionLimits: Hashable, Codable, Sendable {
    /// The limits by their names in a manifest: seconds, bytes, or a number of files.
    public let values: [String: Double]

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - start: The time for starting, in seconds.
    ///   - request: The time for a request, in seconds.
    ///   - end: The time for ending, in seconds.
    ///   - idle: The time for which the process waits for another request, in seconds.
    ///   - memory: The memory, in bytes.
    ///   - fileSize: The size of a written file, in bytes.
    ///   - openFiles: The number of open files.
    public init(
        start: Double = 10, request: Double = 30, end: Double = 2, idle: Double = 0, memory: Int = 256 << 20,
        fileSize: Int = 64 << 20, openFiles: Int = 128
    ) {
        values = [
            "start": start, "request": request, "end": end, "idle": idle, "memory": Double(memory),
            "fileSize": Double(fileSize), "openFiles": Double(openFiles),
        ]
    }

    /// Creates limits from values by name; the others have their defaults.
    public init(_ values: [String: Double]) {
        self.values = ExtensionLimits().values.merging(values) { $1 }
    }

    /// Returns the lower of both limits in each respect.
    public func lowered(to lowered: [String: Double]) -> ExtensionLimits {
        ExtensionLimits(values.merging(lowered, uniquingKeysWith: min))
    }

    /// The time for starting: from the start of the process until the principal object exists, in seconds.
    public var start: Double { values["start"] ?? 0 }
    /// The time for a request, in seconds.
    public var request: Double { values["request"] ?? 0 }
    /// The time for ending after the last request, in seconds.
    public var end: Double { values["end"] ?? 0 }
    /// The time for which the process waits for another request, in seconds. With zero, it ends after each request.
    public var idle: Double { values["idle"] ?? 0 }
    /// The memory of the process, in bytes.
    public var memory: Int { number("memory") }
    /// The size of a file that the process writes, in bytes.
    public var fileSize: Int { number("fileSize") }
    /// The number of files that the process may have open.
    public var openFiles: Int { number("openFiles") }

    /// The processor time of the process in its whole life, in seconds.
    ///
    /// Four threads that are busy until the deadlines for starting, one request and ending need that much. So the limit ends only a process
    /// that goes on with work that nobody waits for.
    public var processorTime: Double { 4 * (start + request + end) }

    private func number(_ name: String) -> Int { Int(max(-9e18, min(values[name] ?? 0, 9e18))) }
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
    /// A page of an extension that its host does not show.
    public static let pageNotShown = Self("pageNotShown")
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
