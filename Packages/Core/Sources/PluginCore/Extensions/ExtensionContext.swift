/// The principal object of an extension, which handles the requests of one extension point.
///
/// The host starts a process for the extension, in which one object is created and handles a request. The process can write only to its
/// bundle's container and app groups, and has no network unless the manifest asks for it.
///
/// ```swift
/// @c(plugin_entry_v2)
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

/// A request to an extension, and the way to its host.
///
/// The extension ends the request once, by completing or canceling it. This corresponds to `NSExtensionContext`.
public final class ExtensionContext<Output: Codable & Sendable>: Sendable {
    /// The items of the request.
    public let items: [ExtensionItem]
    private let host: any ExtensionRequestHost

    /// Creates a context. Hosts and tests call this; extensions receive a context.
    public init(items: [ExtensionItem], host: any ExtensionRequestHost) {
        self.items = items
        self.host = host
    }

    /// Completes the request with a result. A request that has ended already stays as it is.
    ///
    /// - Parameters:
    ///   - output: The output of the extension point's contract.
    ///   - items: The items that are returned to the host.
    /// - Throws: ``AtriumError`` with code `resultType` for an output that JSON cannot represent; the request stays open.
    public func completeRequest(returning output: Output, items: [ExtensionItem] = []) throws(AtriumError) {
        host.complete(try CodedValue(output), items: items)
    }

    /// Cancels the request with an error, which the host reports. A request that has ended already stays as it is.
    public func cancelRequest(throwing error: any Error) {
        host.cancel(error as? AtriumError ?? AtriumError(.pluginFailed, "", reason: .verbatim("\(error)")))
    }

    /// Asks the host to open an address through its router. The request's origin is the extension.
    ///
    /// - Throws: The errors of ``Routing``'s `open`.
    public func open(_ uri: ResourceURI) async throws { try await host.open(uri) }

    /// Reports the progress of the request to the host.
    ///
    /// - Parameter fraction: The completed part, from 0 to 1.
    public func reportProgress(_ fraction: Double) { host.reportProgress(fraction) }

    /// Registers a closure that is called once when the request's time is about to end, with the remaining time.
    ///
    /// The process is ended when the time has passed. An extension can save its work, and complete or cancel the request.
    public func onExpiration(_ body: @escaping @MainActor @Sendable (Duration) -> Void) { host.onExpiration(body) }
}

extension ExtensionContext where Output == NoValue {
    /// Completes the request.
    ///
    /// - Parameter items: The items that are returned to the host.
    public func completeRequest(returning items: [ExtensionItem] = []) {
        if let nothing = try? CodedValue(NoValue()) { host.complete(nothing, items: items) }
    }
}

/// The host's side of a request to an extension. A process that runs extensions implements it, and so can a test.
public protocol ExtensionRequestHost: Sendable {
    /// Receives the result of the request. Only the first end of a request counts.
    func complete(_ output: CodedValue, items: [ExtensionItem])
    /// Receives the error for which the request was canceled. Only the first end of a request counts.
    func cancel(_ error: AtriumError)
    /// Opens an address on behalf of the extension.
    func open(_ uri: ResourceURI) async throws
    /// Receives the completed part of the request, from 0 to 1.
    func reportProgress(_ fraction: Double)
    /// Calls a closure when the request's time is about to end.
    func onExpiration(_ body: @escaping @MainActor @Sendable (Duration) -> Void)
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

/// The limits for the process of an extension. The host ends a process that exceeds one and reports which.
public struct ExtensionLimits: Hashable, Codable, Sendable {
    /// The time for starting: from the start of the process until the principal object exists, in seconds.
    public let start: Double
    /// The time for a request, in seconds.
    public let request: Double
    /// The time for ending after the last request, in seconds.
    public let end: Double
    /// The time for which the process waits for another request, in seconds. With zero, it ends after each request.
    public let idle: Double
    /// The memory of the process, in bytes.
    public let memory: Int
    /// The size of a file that the process writes, in bytes.
    public let fileSize: Int
    /// The number of files that the process may have open.
    public let openFiles: Int

    /// The processor time of the process in its whole life, in seconds.
    ///
    /// Four threads that are busy until the deadlines for starting, one request and ending need that much. So the limit ends only a process
    /// that goes on with work that nobody waits for.
    public var processorTime: Double { 4 * (start + request + end) }

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
        self.start = start
        self.request = request
        self.end = end
        self.idle = idle
        self.memory = memory
        self.fileSize = fileSize
        self.openFiles = openFiles
    }
}

/// A request to a source of documents.
@frozen
public enum DocumentRequest: Hashable, Codable, Sendable {
    /// Lists the documents and folders in a folder; the empty identifier is the top folder.
    case list(folder: String)
    /// Fetches a document.
    case fetch(document: String)
}

/// The reply of a source of documents.
@frozen
public enum DocumentReply: Hashable, Codable, Sendable {
    /// The documents and folders in a folder.
    case list([DocumentEntry])
    /// The document is the only attachment of the result.
    case fetched
}

/// A document or a folder in a source of documents.
public struct DocumentEntry: Hashable, Codable, Sendable {
    /// The identifier, by which the document is fetched or the folder is listed.
    public let identifier: String
    /// The name.
    public let name: String
    /// The size in bytes, or nil for a folder.
    public let size: Int?

    /// Creates an entry.
    public init(identifier: String, name: String, size: Int?) {
        self.identifier = identifier
        self.name = name
        self.size = size
    }
}

/// The description of an edit of a picture, with which the editor can resume or undo it.
public struct PhotoEdit: Hashable, Codable, Sendable {
    /// The format of the description and its version, as the editor names it, or nil for a picture without edits.
    public let format: String?
    /// The settings of the edit.
    public let settings: [String: String]

    /// Creates a description.
    public init(format: String? = nil, settings: [String: String] = [:]) {
        self.format = format
        self.settings = settings
    }
}

/// A key that the user presses in a text field.
public struct KeyPress: Hashable, Codable, Sendable {
    /// The name of the key: a character, or a word such as `backspace`.
    public let key: String
    /// The text before the insertion point.
    public let before: String
    /// The text after the insertion point.
    public let after: String

    /// Creates a key press.
    public init(key: String, before: String, after: String = "") {
        self.key = key
        self.before = before
        self.after = after
    }
}

/// A change of the text in a text field, at the insertion point.
public struct TextChange: Hashable, Codable, Sendable {
    /// The number of characters that are deleted before the insertion point.
    public let deleted: Int
    /// The text that is inserted in their place.
    public let inserted: String

    /// Creates a change.
    public init(deleting deleted: Int = 0, inserting inserted: String = "") {
        self.deleted = deleted
        self.inserted = inserted
    }
}

/// The controller of a bundle's widgets, which hides a widget that has nothing to show.
///
/// The bundle and its extensions each get a controller from their host. This corresponds to `NCWidgetController`.
///
/// ```swift
/// try await context.widgets.setHasContent(!watchList.isEmpty, for: "com.example.app.stocks.widget")
/// ```
public struct WidgetController: Sendable {
    private let body: @Sendable (Bool, BundleIdentifier) async throws -> Void

    /// Creates a controller. Hosts and tests call this; plugins and extensions receive a controller.
    public init(_ body: @escaping @Sendable (Bool, BundleIdentifier) async throws -> Void) {
        self.body = body
    }

    /// Hides a widget that has nothing to show, or shows it again. The choice holds until the next call, also after an update.
    ///
    /// - Parameter identifier: The identifier of an extension that the bundle contains.
    /// - Throws: ``AtriumError`` with code `extensionUndeclared` for any other identifier, `sandboxBusy` or `inputOutput`.
    public func setHasContent(_ hasContent: Bool, for identifier: BundleIdentifier) async throws {
        try await body(hasContent, identifier)
    }
}

/// The request for a widget's content.
public struct WidgetRequest: Hashable, Codable, Sendable {
    /// The number of columns that the host has for the widget.
    public let columns: Int
    /// The number of rows that the host has for the widget.
    public let rows: Int

    /// Creates a request.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The content of a widget.
public struct WidgetContent: Hashable, Codable, Sendable {
    /// The title.
    public let title: String
    /// The elements from top to bottom, without headings. Those that do not fit are not drawn.
    public let elements: [PageElement]
    /// The address that is opened when the user chooses the widget, or nil.
    public let address: String?

    /// Creates content.
    public init(title: String, elements: [PageElement], address: String? = nil) {
        self.title = title
        self.elements = elements
        self.address = address
    }
}
