import Contract

/// One loaded version, lent to its pages and calls: the plugin, and what it has bound. It all ends together, in one step.
///
/// A plugin binds everything here, so a version that is replaced loses all of it, and no plugin has to clean up. Open pages
/// and running calls keep the version usable; it ends with the last of them.
@MainActor
final class Lease: PluginContext {
    typealias PageHandler = @MainActor (Request) throws -> any Page
    typealias ActionHandler = @MainActor ([String: String]) throws -> String
    typealias Mediator =
        @MainActor (_ target: String, _ action: String, _ parameters: [String: String]) throws -> String

    let bundle: InstalledBundle
    private let sentinel: Sentinel
    private let mediator: Mediator
    private var plugin: (any Plugin)?
    private var pages: [String: PageHandler] = [:]
    private var actions: [String: ActionHandler] = [:]
    private var uses = 0
    private var isReplaced = false
    private(set) var hasEnded = false

    /// Creates the plugin, which binds its routes and actions.
    ///
    /// - Throws: ``Failure`` if the plugin cannot be created, or does not bind the routes of its manifest.
    init(of bundle: InstalledBundle, type: any Plugin.Type, sentinel: Sentinel, mediator: @escaping Mediator) throws {
        self.bundle = bundle
        self.sentinel = sentinel
        self.mediator = mediator
        do {
            plugin = try run { try type.init(context: self) }
            for pattern in bundle.manifest.routes where pages[pattern] == nil {
                throw Failure("\(bundle.name) has not bound the route \"\(pattern)\" of its manifest")
            }
        } catch {
            end()
            throw error
        }
    }

    var version: String { bundle.name.version }

    func bind(route pattern: String, to handler: @escaping PageHandler) {
        if !hasEnded { pages[pattern] = handler }
    }

    func bind(action name: String, to handler: @escaping ActionHandler) {
        if !hasEnded { actions[name] = handler }
    }

    func call(_ target: String, _ action: String, _ parameters: [String: String]) throws -> String {
        guard !hasEnded else { throw Failure("\(bundle.name) has ended") }
        return try mediator(target, action, parameters)
    }

    /// Returns a page of the plugin, which stays usable until it is closed.
    func page(for pattern: String, _ request: Request) throws -> OpenPage {
        guard let handler = pages[pattern] else { throw Failure("\(bundle.name) has ended") }
        return try using { OpenPage(try run { try handler(request) }, of: self) }
    }

    /// Calls an action of the plugin.
    func perform(_ action: String, _ parameters: [String: String]) throws -> String {
        guard let handler = actions[action] else { throw Failure("\(bundle.name) has no action \"\(action)\"") }
        return try using { try run { try handler(parameters) } }
    }

    /// Lets the version end as soon as nothing uses it. New requests go to another one.
    func replace() {
        isReplaced = true
        endIfUnused()
    }

    /// Takes back that the version is replaced, after a rollback to it.
    func resume() { isReplaced = false }

    /// Runs code of the plugin. Nothing else does, so the sentinel knows of each call. An error is turned into text here, because that is
    /// code of the plugin, too.
    fileprivate func run<Result>(_ code: () throws -> Result) throws -> Result {
        try sentinel.watch(bundle.name) {
            do {
                return try code()
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure("\(bundle.name): \(error)")
            }
        }
    }

    fileprivate func use() { uses += 1 }

    fileprivate func endUse() {
        uses -= 1
        endIfUnused()
    }

    private func using<Result>(_ code: () throws -> Result) rethrows -> Result {
        use()
        defer { endUse() }
        return try code()
    }

    private func endIfUnused() {
        guard isReplaced, uses == 0, !hasEnded else { return }
        end()
        log("\(bundle.name) has ended")
    }

    private func end() {
        // Deinitializers are code of the plugin, too. They can neither bind nor call any more.
        hasEnded = true
        sentinel.watch(bundle.name) {
            plugin = nil
            pages = [:]
            actions = [:]
        }
    }
}

/// A page on the screen, which keeps its version usable.
@MainActor
final class OpenPage {
    private var page: (any Page)?
    private let lease: Lease

    fileprivate init(_ page: any Page, of lease: Lease) {
        self.page = page
        self.lease = lease
        lease.use()
    }

    /// Returns the title and the lines to show now.
    func text() throws -> String {
        guard let page else { throw Failure("the page is closed") }
        return try lease.run { (["== \(page.title)"] + (try page.content())).joined(separator: "\n") }
    }

    /// A page that nobody holds any more ends like one that is closed.
    isolated deinit { try? close() }

    /// Ends the use of the page.
    func close() throws {
        guard page != nil else { return }
        try lease.run { page = nil }
        lease.endUse()
    }
}

// In the product: Packages/Router/Sources/PluginRouter/Lease, Packages/Runtime/Sources/PluginRuntime/Running/RunningBundles.swift. It adds
// services and events under the same lease, a deadline for calls that run, and one for pages that are closed and still held.
