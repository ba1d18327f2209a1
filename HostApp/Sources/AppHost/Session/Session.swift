public import Console
public import PluginCore
public import PluginRuntime

/// A sequence of steps in an app, each of which runs until the app is idle.
///
/// A step opens an address or performs an action. The app is idle when every operation has either finished or waits for a result of
/// a presented page. For example, opening a guarded address is idle at the sign-in page, and signing in there completes it.
///
/// ```swift
/// let stack = PageStack()
/// let host = try await Host(
///     at: folder, source: catalog, trusting: .team("com.example", key), routing: .installingOnDemand(stack))
/// let session = Session(router: host.router, mediator: host.mediator, stack: stack) { print($0) }
/// try await session.open(ResourceURI("app://orders"))
/// try await session.tap(Tap("signIn name=Ada"))
/// await session.close()
/// ```
@MainActor
public final class Session {
    /// The operation of the current task, which tasks that it starts inherit, also through plugins.
    @TaskLocal private static var operation: Int?

    /// The number of times that pages are closed that appear while the session closes.
    ///
    /// It is limited, because a plugin that presents a page again after each dismissal must not keep the program from ending.
    private static let closingRounds = 3

    /// The pages of the session.
    public let stack: PageStack
    /// Returns the page that the user works with in place of the top page, for example with further actions.
    var shown: @MainActor (any Page) -> any Page = { $0 }
    /// Turns what the user types for a field into the text that the page gets.
    var typed: @MainActor (String) async throws -> String = { $0 }
    private let router: any Routing
    private let mediator: any Mediating
    /// The time that canceled operations have to finish before the session continues without them.
    private static let patience = Duration.seconds(2)

    /// The numbers of unfinished operations, oldest first.
    private var operations: [Int] = []
    private var tasks: [Int: Task<Void, Never>] = [:]
    /// The numbers of canceled operations that did not finish and may not show pages anymore.
    private var abandoned: Set<Int> = []
    private var lastOperation = 0
    private var outcomes: [(operation: Int, result: Result<(any Sendable)?, any Error>)] = []
    /// The numbers of the operations whose callers still wait for them. Each caller gets the outcome of its own one.
    private var awaited: Set<Int> = []
    private var resting: [CheckedContinuation<Void, Never>] = []

    /// Creates a session whose router shows pages on a stack.
    ///
    /// - Parameters:
    ///   - router: opens addresses.
    ///   - mediator: calls actions.
    ///   - stack: the navigator that the router was created with.
    ///   - onNotice: called with each notice that a plugin shows to the user.
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
    /// If the calling task is canceled, the session's unfinished operations are canceled and the call throws a `CancellationError`.
    ///
    /// - Parameters:
    ///   - uri: the address.
    ///   - other: a router of another origin; `nil` for the session's own.
    /// - Returns: the result of a handler; `nil` if a page is shown or the operation waits for a page.
    /// - Throws: the error of opening the address or of an earlier operation; ``SeveralFailures`` for both.
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
    /// - Returns: the result of the action; `nil` if the operation waits for a page.
    /// - Throws: the error of the mediator or of an earlier operation; ``SeveralFailures`` for both.
    func call(_ call: ActionCall) async throws -> (any Sendable)? {
        try await run { [mediator] in try await call.perform(mediator) }
    }

    /// Performs an action of the top page.
    ///
    /// - Returns: the result of a handler that was waiting for this action; usually `nil`.
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, the error of the action, or the error of an earlier operation;
    ///   ``SeveralFailures`` for several.
    @discardableResult
    public func tap(_ tap: Tap) async throws -> (any Sendable)? {
        guard let page = top else {
            throw AtriumError(.pageActionUnknown, tap.text, reason: "noPageOpen")
        }
        var (action, input) = try tap.resolve(on: page)
        return try await run { [stack, typed] in
            for field in action.fields where field.kind == .text {
                guard let text = input[field.name], text != field.initial else { continue }
                input[field.name] = try await typed(text)
            }
            try await page.perform(action.identifier, input: input, on: stack)
            return nil
        }
    }

    /// Performs an action of a page.
    ///
    /// - Parameter input: the values of the action's fields by name.
    /// - Returns: the result of a handler that was waiting for this action; usually `nil`.
    /// - Throws: the error of the action, or the error of an earlier operation; ``SeveralFailures`` for several.
    @discardableResult
    func perform(_ action: String, input: [String: String], of page: any Page) async throws -> (any Sendable)? {
        try await run { [stack] in
            try await page.perform(action, input: input, on: stack)
            return nil
        }
    }

    /// Goes back to the pages beside the stack.
    func backToRoot() async throws {
        _ = try await run { [stack] in
            stack.closeAll()
            return nil
        }
    }

    /// The page that the user works with.
    var top: (any Page)? { stack.top.map(shown) }

    /// Goes back by one page.
    ///
    /// - Returns: the result of a handler that was waiting for the page; usually `nil`.
    /// - Throws: the error of an earlier operation that was waiting for the page.
    @discardableResult
    public func back() async throws -> (any Sendable)? {
        try await run { [stack] in
            stack.pop()
            return nil
        }
    }

    /// Closes all pages from top to bottom.
    ///
    /// Operations that wait for a page continue without a result and are awaited; their results and errors are discarded.
    public func close() async {
        for _ in 0..<Self.closingRounds where !stack.stacked.isEmpty {
            stack.closeAll()
            await rest()
        }
        outcomes = []
    }

    /// Runs an operation until the app is idle.
    ///
    /// - Returns: the result of the operation, or of a handler that was waiting for it; `nil` if it waits for a page.
    /// - Throws: the errors of the operation and of earlier ones, as ``open(_:through:)``.
    func run(
        _ operation: @escaping @MainActor () async throws -> (any Sendable)?
    ) async throws -> (any Sendable)? {
        lastOperation += 1
        let number = lastOperation
        operations.append(number)
        awaited.insert(number)
        let task = Self.$operation.withValue(number) {
            Task.immediate {
                let outcome = await attempt { try await operation() }
                tasks[number] = nil
                // The outcome of an abandoned operation is discarded.
                guard abandoned.remove(number) == nil else { return }
                outcomes.append((number, outcome))
                operations.removeAll { $0 == number }
                wakeIfAtRest()
            }
        }
        if operations.contains(number) { tasks[number] = task }
        // The operation may not have had to wait. Tasks that it has started on the main actor begin before the host goes on or ends.
        if isAtRest { await MainQueue.shared.turn() }
        await withTaskCancellationHandler {
            await rest()
        } onCancel: {
            Task { await self.interrupt(number) }
        }
        awaited.remove(number)
        // The outcomes for which no other caller waits are those of this operation and of earlier ones.
        let taken = outcomes.filter { !awaited.contains($0.operation) }.map(\.result)
        outcomes.removeAll { !awaited.contains($0.operation) }
        let failures = taken.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if Task.isCancelled, !failures.isEmpty || abandoned.contains(number) { throw CancellationError() }
        if let failure = failures.first { throw failures.count == 1 ? failure : SeveralFailures(errors: failures) }
        return taken.compactMap { try? $0.get() }.last
    }

    /// Cancels the running operations and stops waiting for those that do not finish; operations that wait for a page are kept.
    ///
    /// - Parameter number: the newest operation; nothing is canceled if a later one has begun.
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

    /// Cancels all running operations, because the session has to end, and stops waiting for those that do not finish.
    func interruptAll() async {
        if !isAtRest { await interrupt(lastOperation) }
    }

    private var isAtRest: Bool { operations.allSatisfy(stack.awaitsAnswer) }

    /// The number of the operation that is presenting a page.
    ///
    /// A detached task does not inherit the number, so the newest operation that isn't waiting is assumed.
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

/// The errors of several operations that failed before a session was idle.
public struct SeveralFailures: ReportableError {
    /// The errors in the order in which they occurred; at least one.
    public let errors: [any Error]

    /// The report of the first error, with the others as details.
    public var report: FailureReport {
        let reports = errors.map { Failure($0).report }
        guard var report = reports.first else { return Failure.ofPlugin(self).report }
        report.details += reports.dropFirst().map { localized("also: \($0.message)") }
        return report
    }

    /// The exit status of the first error.
    public var exitStatus: ExitStatus { errors.first.map { Failure($0).status } ?? .software }
}
