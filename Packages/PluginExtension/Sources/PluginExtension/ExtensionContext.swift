public import PluginCore

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

    /// Shows a page to the user, whose actions complete the request. A user who leaves the page cancels the request.
    ///
    /// The request's time does not count while the page waits for the user; each action of the page has as much. The page ends with the
    /// request.
    ///
    /// - Throws: ``AtriumError`` with code `pageNotShown` if the host shows no page for the request, or shows one already.
    public func show(_ page: any Page) async throws { try await host.show(page) }

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
    /// Shows a page until the end of the request.
    func show(_ page: any Page) async throws
    /// Receives the completed part of the request, from 0 to 1.
    func reportProgress(_ fraction: Double)
    /// Calls a closure when the request's time is about to end.
    func onExpiration(_ body: @escaping @MainActor @Sendable (Duration) -> Void)
}
