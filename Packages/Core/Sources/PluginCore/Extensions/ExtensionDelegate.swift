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
