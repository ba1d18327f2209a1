public import PluginCore

/// The principal object of an extension, which handles the requests of one extension point.
///
/// The host starts a process for the extension, in which one object is created and handles a request. The process can write only to its
/// bundle's container and app groups, and has no network unless the manifest asks for it.
///
/// ```swift
/// @c(plugin_entry_v3)
/// public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: NoteFromItems.self) }
///
/// final class NoteFromItems: ExtensionDelegate {
///     static let point = ExtensionPoints.share
///     let notes: Notes
///
///     init(environment: ExtensionEnvironment) throws {
///         notes = try Notes(in: environment.container)
///     }
///
///     func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) throws {
///         for item in context.items { try notes.add(item) }
///         context.completeRequest()
///     }
/// }
/// ```
@MainActor
public protocol ExtensionDelegate: AnyObject, Sendable {
    /// The input of the extension point.
    associatedtype Input: Codable & Sendable
    /// The output of the extension point.
    associatedtype Output: Codable & Sendable

    /// The extension point.
    static var point: ExtensionPoint<Input, Output> { get }

    /// Starts the extension.
    ///
    /// - Throws: Any error; the request then fails with it.
    init(environment: ExtensionEnvironment) async throws

    /// Handles a request, and completes or cancels it through its context, now or later.
    ///
    /// - Throws: Any error, which cancels the request.
    func beginRequest(_ input: Input, in context: ExtensionContext<Output>) async throws

    /// Prepares for the end of the process.
    func extensionWillEnd() async
}

extension ExtensionDelegate {
    /// Does nothing.
    public func extensionWillEnd() async {}
}

/// Everything that an extension gets from its host when it starts.
public struct ExtensionEnvironment: Sendable {
    /// The identifier of the extension, which starts with that of its bundle.
    public let identifier: BundleIdentifier
    /// The identifier and version of the bundle that contains the extension.
    public let bundle: BundleIdentity
    /// The bundle's resources.
    public let resources: BundleResources
    /// The folders for the bundle's data, which the extension shares with the bundle.
    public let container: BundleContainer
    /// The bundle's settings and other small values, which the extension shares with the bundle.
    public let defaults: any DefaultsStore
    private let groups: [AppGroup]
    /// The controller of the bundle's widgets.
    public let widgets: WidgetController
    /// The extension's log.
    public let logger: BundleLogger

    /// Creates an environment. Hosts and tests call this; extensions receive an environment.
    public init(
        identifier: BundleIdentifier, bundle: BundleIdentity, resources: BundleResources, container: BundleContainer,
        defaults: any DefaultsStore, groups: [AppGroup] = [], widgets: WidgetController, logger: BundleLogger
    ) {
        self.identifier = identifier
        self.bundle = bundle
        self.resources = resources
        self.container = container
        self.defaults = defaults
        self.groups = groups
        self.widgets = widgets
        self.logger = logger
    }

    /// Returns an app group that the manifest of the extension's bundle declares.
    ///
    /// - Throws: ``AtriumError`` with code `groupUndeclared` for any other group.
    public func appGroup(_ name: String) throws(AtriumError) -> AppGroup { try groups.declared(name) }
}

extension PluginEntry {
    /// Returns the description of an extension, given the type of its principal object.
    ///
    /// - Returns: A pointer as `describe(_:)` returns it.
    @export(implementation)
    public static func describe(extension type: (some ExtensionDelegate).Type) -> UnsafeRawPointer {
        describe(principal: ExtensionType(type))
    }
}

extension EntryDescription {
    /// The type of the extension's principal object, or nil for a plugin and for a library that others link.
    public var extensionType: ExtensionType? { principal as? ExtensionType }
}

/// The type of an extension's principal object, which declares its extension point and starts the extension.
public struct ExtensionType: Sendable {
    private let type: any ExtensionDelegate.Type

    /// Creates a description of a class.
    public init(_ type: any ExtensionDelegate.Type) {
        self.type = type
    }

    /// The extension point.
    @MainActor
    public var declaration: ExtensionPointDeclaration { type.declaration }

    /// Creates the principal object.
    ///
    /// - Throws: The errors of the object's `init`.
    @MainActor
    public func start(_ environment: ExtensionEnvironment) async throws -> any ExtensionDelegate {
        try await type.init(environment: environment)
    }
}

extension ExtensionDelegate {
    fileprivate static var declaration: ExtensionPointDeclaration { point.declaration }

    /// Handles a request with a coded input. Processes that run extensions and tests of extensions call this.
    ///
    /// The result arrives at the host's side of the request, now or later.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for an input that is not the extension point's, and the errors of the extension.
    public func beginRequest(
        _ input: CodedValue, items: [ExtensionItem], host: any ExtensionRequestHost
    ) async throws {
        try await beginRequest(input.value(as: Input.self), in: ExtensionContext(items: items, host: host))
    }
}
