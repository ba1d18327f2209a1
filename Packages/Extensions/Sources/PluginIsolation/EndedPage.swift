public import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import ExtensionProtocol

/// The page that a host shows in place of one whose process has ended: it says so, and offers to start the plugin again.
final class EndedPage: Page {
    let title: String
    private let texts: EndedPageTexts
    /// Opens the page's address again and shows the result in its place; nil for a page without an address.
    private let restart: (@MainActor () async throws -> Void)?

    /// Creates the page that takes the place of another one, whose process has ended with an error.
    init(
        inPlaceOf page: RemotePage, of bundle: PluginBundle, _ error: AtriumError, _ settings: IsolationSettings,
        _ host: PluginProcessHost
    ) {
        title = page.lastTitle
        texts = settings.endedPageTexts(EndedPlugin(identity: bundle.identity, name: bundle.name, error: error))
        guard let request = page.request else {
            restart = nil
            return
        }
        restart = { [weak page] in
            guard let page else { return }
            // By the router, because guards may decide otherwise by now.
            let opened = try await host.communication.router.routing(for: request.origin).page(
                for: request.uri, userInfo: request.userInfo)
            try await host.activeLease()?.pages.add(page)
            page.replacement = opened
        }
    }

    var content: [PageElement] { texts.content.map { .text($0) } }

    var actions: [PageAction] {
        if let restart { PageAction("restart", title: texts.restart) { _ in try await restart() } }
    }
}

/// A plugin whose process has ended without its host wanting it.
public struct EndedPlugin: Sendable {
    /// The version.
    public let identity: BundleIdentity
    /// The display name of its bundle.
    public let name: String
    /// The reason.
    public let error: AtriumError
}

/// The texts of a page whose process has ended.
public struct EndedPageTexts: Sendable {
    /// The paragraphs of the page.
    public let content: [String]
    /// The title of the action that starts the plugin again.
    public let restart: String

    /// Creates texts.
    public init(content: [String], restart: String) {
        self.content = content
        self.restart = restart
    }
}
