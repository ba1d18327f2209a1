import Contract

/// What one version of a plugin has bound, and its right to be used.
///
/// All that a plugin binds, it binds here, so a version that is replaced loses everything in one step, and no plugin has to clean up. The
/// version stays usable for its open pages, and ends with the last of them.
@MainActor
final class Lease: PluginContext {
    typealias PageHandler = @MainActor (Request) throws -> any Page
    typealias ActionHandler = @MainActor ([String: String]) throws -> any Sendable
    typealias Call =
        @MainActor (_ target: String, _ action: String, _ parameters: [String: String]) throws -> any Sendable

    let bundle: InstalledBundle
    private let sentinel: Sentinel
    private let mediator: Call
    private var plugin: (any Plugin)?
    private var pages: [String: PageHandler] = [:]
    private var actions: [String: ActionHandler] = [:]
    private var openPages = 0
    private var isReplaced = false

    /// Creates the plugin, which binds its routes and actions.
    init(of bundle: InstalledBundle, type: any Plugin.Type, sentinel: Sentinel, calls mediator: @escaping Call) throws {
        (self.bundle, self.sentinel, self.mediator) = (bundle, sentinel, mediator)
        plugin = try run { try type.init(context: self) }
    }

    var version: String { bundle.name.version }

    func bind(route pattern: String, to handler: @escaping PageHandler) {
        pages[pattern] = handler
    }

    func bind(action name: String, to handler: @escaping ActionHandler) {
        actions[name] = handler
    }

    func call(_ target: String, _ action: String, _ parameters: [String: String]) throws -> any Sendable {
        try mediator(target, action, parameters)
    }

    /// Runs code of the plugin. No other function does, so the sentinel knows of each call.
    func run<Result>(_ code: () throws -> Result) rethrows -> Result {
        try sentinel.watch(bundle.name, code)
    }

    /// Returns a page of the plugin, which stays usable until it is closed.
    func page(for pattern: String, _ request: Request) throws -> OpenPage {
        guard let handler = pages[pattern] else {
            throw Failure("\(bundle.name) has not bound the route \"\(pattern)\" of its manifest")
        }
        let page = OpenPage(try run { try handler(request) }, of: self)
        openPages += 1
        return page
    }

    /// Calls an action of the plugin.
    func perform(_ action: String, _ parameters: [String: String]) throws -> any Sendable {
        guard let handler = actions[action] else { throw Failure("\(bundle.name) has no action \"\(action)\"") }
        return try run { try handler(parameters) }
    }

    /// Lets the version end as soon as none of its pages is open. New requests go to another one.
    func replace() {
        isReplaced = true
        endIfUnused()
    }

    fileprivate func pageWasClosed() {
        openPages -= 1
        endIfUnused()
    }

    private func endIfUnused() {
        guard isReplaced, openPages == 0, plugin != nil else { return }
        run { (plugin, pages, actions) = (nil, [:], [:]) }
        log("\(bundle.name) has ended")
    }
}

/// A page on the screen, which keeps its version usable.
@MainActor
final class OpenPage {
    private let page: any Page
    private let lease: Lease

    fileprivate init(_ page: any Page, of lease: Lease) {
        (self.page, self.lease) = (page, lease)
    }

    /// Returns the title and the lines to show now.
    func text() throws -> String {
        try lease.run { (["== \(page.title)"] + (try page.content())).joined(separator: "\n") }
    }

    /// Ends the use of the page. It is not drawn afterwards.
    func close() {
        lease.pageWasClosed()
    }
}

// In the product: Packages/Router/Sources/PluginRouter/Lease, Packages/Runtime/Sources/PluginRuntime/Running/RunningBundles.swift. It adds
// services and events under the same lease, calls in flight that are waited for, and a limit for pages that are closed and still held.
