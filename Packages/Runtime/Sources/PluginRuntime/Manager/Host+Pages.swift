public import PluginCore
import PluginRouter

@MainActor
extension Host {
    package var navigator: any Navigator { loader.routing.navigator }

    /// The pages that are shown, from bottom to top, to draw them: each has a title, content and actions.
    ///
    /// A plugin whose code crashes or hangs while one is drawn is known. Read them again after a request and an action, and as
    /// ``PageStack/invalidations`` says.
    public var pages: [any Page] { navigator.pages.map(pageWatcher.watched) }

    /// Opens an address, which shows its page or runs its handler.
    ///
    /// - Returns: what came of it. A page that waits for the user, such as to sign in, delays it.
    /// - Throws: as `Routing.open(_:userInfo:presentation:)`.
    @discardableResult
    public func open(_ address: String) async throws -> RouteOutcome { try await router.open(address) }

    /// Performs an action of the top page.
    ///
    /// - Parameter input: the texts for its fields, by name.
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, or the error of the action.
    public func press(_ action: String, _ input: [String: String] = [:]) async throws {
        guard let page = pages.last else { throw AtriumError(.pageActionUnknown, action, reason: "noPageOpen") }
        try await page.perform(action, input: input, on: navigator)
    }
}
