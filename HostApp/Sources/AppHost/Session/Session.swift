public import PluginCore

/// One user's way through an app: addresses opened and actions tapped one after the other, each until the app has come
/// to rest.
///
/// At rest means: everything that was begun is either done or waits for an answer on a presented page. Opening a guarded
/// address rests on the sign-in page, and tapping there lets the first opening go on.
///
/// ```swift
/// let stack = PageStack()
/// let (router, mediator) = await manager.connect(stack, supply: manager)
/// let session = Session(router: router, mediator: mediator, stack: stack) { print($0) }
/// try await session.open(ResourceURI("app://orders"))
/// try await session.tap(Tap("signIn name=Ada"))
/// await session.close()
/// ```
@MainActor
public final class Session {
    /// The operation that a task belongs to; tasks that an operation starts inherit it, through plugins and back.
    @TaskLocal private static var operation: Int?

    /// How often pages are closed that show up while the session closes. A plugin that answers every "no" by asking again
    /// must not keep the program from ending.
    private static let closingRounds = 3

    /// What the user sees.
    public let stack: PageStack
    private let router: any Routing
    private let mediator: any Mediating
    /// How long what was interrupted may take to end; then the session goes on without it.
    private static let patience = Duration.seconds(2)

    /// What was begun and has not ended, oldest first.
    private var operations: [Int] = []
    private var tasks: [Int: Task<Void, Never>] = [:]
    /// What was interrupted, did not end, and may show nothing any more.
    private var abandoned: Set<Int> = []
    private var lastOperation = 0
    private var results: [any Sendable] = []
    private var failures: [any Error] = []
    private var resting: [CheckedContinuation<Void, Never>] = []

    /// A session on a router whose pages go onto `stack`.
    ///
    /// - Parameters:
    ///   - router: opens addresses.
    ///   - mediator: calls actions.
    ///   - stack: the navigator that the router was made with.
    ///   - onNotice: called with each line that a plugin tells the user.
    public init(
        router: any Routing, mediator: any Mediating, stack: PageStack,
        onNotice: @escaping @MainActor (String) -> Void
    ) {
        self.router = router
        self.mediator = mediator
        self.stack = stack
        stack.didNotice = onNotice
        stack.presenter = { [weak self] in self?.presenter }
        stack.didChange = { [weak self] in self?.wakeIfAtRest() }
        stack.mayShow = { [weak self] in Self.operation.map { self?.abandoned.contains($0) != true } ?? true }
    }

    /// Opens an address.
    ///
    /// - Parameters:
    ///   - uri: the address.
    ///   - other: the router of somebody else who asks; `nil` for the session's own.
    /// A task that is cancelled meanwhile cancels what the session does, and gets a `CancellationError`.
    ///
    /// - Returns: what a handler returned; `nil` when a page is shown, or somebody waits on a page.
    /// - Throws: what opening it throws, or what something begun earlier throws now; ``SeveralFailures`` for both.
    @discardableResult
    public func open(_ uri: ResourceURI, through other: (any Routing)? = nil) async throws -> (any Sendable)? {
        try await run { [router = other ?? router] in
            let outcome = try await router.open(uri, userInfo: [:], presentation: .push)
            guard case .handled(let value) = outcome else { return nil }
            return value
        }
    }

    /// Calls an action of a target.
    ///
    /// - Returns: what the action returned; `nil` when somebody waits on a page.
    /// - Throws: what the mediator throws, or what something begun earlier throws now; ``SeveralFailures`` for both.
    func call(_ call: ActionCall) async throws -> (any Sendable)? {
        try await run { [mediator] in try await call.perform(by: mediator) }
    }

    /// Does an action of the top page.
    ///
    /// - Returns: what a handler returned that had waited for this; usually `nil`.
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, what the action throws, or what something begun earlier
    ///   throws now; ``SeveralFailures`` for both.
    @discardableResult
    public func tap(_ tap: Tap) async throws -> (any Sendable)? {
        guard let page = stack.top else {
            throw AtriumError(.pageActionUnknown, tap.text, detail: "no page is open")
        }
        let (action, input) = try tap.resolve(on: page)
        return try await run { [stack] in
            try await page.perform(action.identifier, input: input, on: stack)
            return nil
        }
    }

    /// Goes one page back.
    ///
    /// - Returns: what a handler returned that had waited for this; usually `nil`.
    /// - Throws: what something begun earlier throws when its page is left.
    @discardableResult
    public func back() async throws -> (any Sendable)? {
        try await run { [stack] in
            stack.pop()
            return nil
        }
    }

    /// Leaves all pages, top first. Whoever waits on one goes on without an answer and is waited for; what that leads to
    /// is nobody's business any more.
    public func close() async {
        for _ in 0..<Self.closingRounds where !stack.pages.isEmpty {
            stack.closeAll()
            await rest()
        }
        results = []
        failures = []
    }
}

extension Session {
    private func run(
        _ operation: @escaping @MainActor () async throws -> (any Sendable)?
    ) async throws -> (any Sendable)? {
        lastOperation += 1
        let number = lastOperation
        operations.append(number)
        tasks[number] = Self.$operation.withValue(number) {
            Task {
                let outcome: Result<(any Sendable)?, any Error>
                do {
                    outcome = .success(try await operation())
                } catch {
                    outcome = .failure(error)
                }
                tasks[number] = nil
                // What comes of it after all is nobody's business any more.
                guard abandoned.remove(number) == nil else { return }
                switch outcome {
                case .success(let result): if let result { results.append(result) }
                case .failure(let error): failures.append(error)
                }
                operations.removeAll { $0 == number }
                wakeIfAtRest()
            }
        }
        await withTaskCancellationHandler {
            await rest()
        } onCancel: {
            Task { await self.interrupt(number) }
        }
        defer { (results, failures) = ([], []) }
        if Task.isCancelled, !failures.isEmpty || abandoned.contains(number) { throw CancellationError() }
        if let failure = failures.first {
            throw failures.count == 1 ? failure : SeveralFailures(failures)
        }
        return results.last
    }

    /// Cancels what runs, and goes on without what does not end. What waits for an answer on a page goes on waiting.
    ///
    /// - Parameter number: what was begun last; nothing is cancelled that was begun after it.
    private func interrupt(_ number: Int) async {
        guard lastOperation == number else { return }
        let running = operations.filter { !stack.awaitsAnswer($0) }
        for number in running { tasks[number]?.cancel() }
        try? await Task.sleep(for: Self.patience)
        let stuck = Set(running).intersection(operations)
        abandoned.formUnion(stuck)
        operations.removeAll(where: stuck.contains)
        wakeIfAtRest()
    }

    private var isAtRest: Bool { operations.allSatisfy(stack.awaitsAnswer) }

    /// Whose page is being presented. A detached task does not say, so the newest operation that does not wait is taken
    /// to have started it.
    private var presenter: Int? {
        Self.operation ?? operations.last { !stack.awaitsAnswer($0) }
    }

    private func rest() async {
        while !isAtRest {
            await withCheckedContinuation { resting.append($0) }
        }
    }

    private func wakeIfAtRest() {
        guard isAtRest else { return }
        let waiting = resting
        resting = []
        for continuation in waiting { continuation.resume() }
    }
}
