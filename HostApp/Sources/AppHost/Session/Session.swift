public import PluginCore

/// One user's way through an app: addresses opened and actions tapped one after the other, each until the app has come
/// to rest.
///
/// At rest means: everything that was begun is either done or waits for an answer on a presented page. Opening a guarded
/// address rests on the sign-in page, and tapping there lets the first opening go on.
@MainActor
public final class Session {
    /// What the user sees.
    public let stack: PageStack
    private let router: any Routing
    private var running = 0
    private var failures: [any Error] = []
    private var resting: CheckedContinuation<Void, Never>?
    private var outcome: RouteOutcome?

    /// A session on a router whose pages go onto `stack`.
    ///
    /// - Parameters:
    ///   - router: opens addresses.
    ///   - stack: the navigator that the router was made with.
    ///   - onNotice: called with each line that a plugin tells the user.
    public init(router: any Routing, stack: PageStack, onNotice: @escaping @MainActor (String) -> Void) {
        self.router = router
        self.stack = stack
        stack.didNotice = onNotice
        stack.didChange = { [weak self] in self?.wakeIfAtRest() }
    }

    /// Opens an address.
    ///
    /// - Returns: what a handler returned; `nil` when a page is shown, or somebody waits on a page.
    /// - Throws: what opening it throws, or what something begun earlier throws now.
    @discardableResult
    public func open(_ uri: ResourceURI) async throws -> (any Sendable)? {
        outcome = nil
        try await run { [router] in self.outcome = try await router.open(uri, userInfo: [:], presentation: .push) }
        if case .handled(let value) = outcome { return value }
        return nil
    }

    /// Does an action of the top page.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, what the action throws, or what something begun earlier
    ///   throws now.
    public func tap(_ tap: Tap) async throws {
        guard let page = stack.top else { throw AtriumError(.pageActionUnknown, tap.text, detail: "no page is open") }
        let (action, input) = try tap.resolve(on: page)
        try await run { [stack] in try await page.perform(action.identifier, input: input, on: stack) }
    }

    /// Goes one page back.
    ///
    /// - Throws: what something begun earlier throws when its page is left.
    public func back() async throws {
        try await run { [stack] in stack.pop() }
    }

    private func run(_ operation: @escaping @MainActor () async throws -> Void) async throws {
        running += 1
        Task {
            do {
                try await operation()
            } catch {
                failures.append(error)
            }
            running -= 1
            wakeIfAtRest()
        }
        while !isAtRest {
            await withCheckedContinuation { resting = $0 }
        }
        guard !failures.isEmpty else { return }
        throw failures.removeFirst()
    }

    private var isAtRest: Bool { running <= stack.presentedCount }

    private func wakeIfAtRest() {
        guard isAtRest, let waiting = resting else { return }
        resting = nil
        waiting.resume()
    }
}
