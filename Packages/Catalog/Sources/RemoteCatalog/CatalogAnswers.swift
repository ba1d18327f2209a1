import PluginRuntime
import PluginCore
import Synchronization
import CatalogFormat

/// The fetched answers about the current state of a catalog, and the questions without one.
final class CatalogAnswers: Sendable {
    private struct State {
        var answers: [CatalogQuestion: Result<any Sendable, AtriumError>] = [:]
        /// The number of the catalog's state to which the answers belong.
        var number: Int?
        var open: Set<CatalogQuestion> = []
        /// The fetch that runs, which includes all that were started before it.
        var fetch: Task<Void, Never>?
        var fetchCount = 0
    }

    private let state = Mutex(State())
    private let clock: RefreshClock
    /// The answers of which these are a copy, which note the questions that have none; `nil` if these are no copy.
    private let original: CatalogAnswers?

    init(_ clock: RefreshClock) {
        self.clock = clock
        original = nil
    }

    private init(of original: CatalogAnswers) {
        clock = original.clock
        self.original = original
        let current = clock.current
        let answers = original.state.withLock { $0.number == current ? $0.answers : [:] }
        state.withLock { ($0.answers, $0.number) = (answers, current) }
    }

    /// Returns a copy of the current answers, which stay the same.
    func frozen() -> CatalogAnswers { CatalogAnswers(of: original ?? self) }

    /// A Boolean value that indicates whether a question had no answer.
    var lacks: Bool { state.withLock { !$0.open.isEmpty } }

    /// Returns the answer to a question, or notes that it must be fetched.
    ///
    /// - Throws: The error of the fetch, or ``AtriumError`` with code `catalogNotFetched`.
    func answer(_ question: CatalogQuestion, of catalog: String) throws(AtriumError) -> any Sendable {
        let current = original == nil ? clock.current : state.withLock { $0.number }
        let result: Result<any Sendable, AtriumError>? = state.withLock { state in
            if let current, state.number == current, let answer = state.answers[question] { return answer }
            state.open.insert(question)
            return nil
        }
        guard let result else {
            original?.state.withLock { _ = $0.open.insert(question) }
            throw AtriumError(.catalogNotFetched, catalog)
        }
        return try result.get()
    }

    /// Fetches the answers to the open questions, and waits for those that others are fetching.
    ///
    /// - Returns: Whether there were any.
    func fetchOpen(_ fetch: @escaping @Sendable (Set<CatalogQuestion>) async -> Void) async -> Bool {
        let task: Task<Void, Never>? = state.withLock { state in
            guard !state.open.isEmpty else { return state.fetch }
            let (questions, before) = (state.open, state.fetch)
            state.open = []
            state.fetchCount += 1
            let number = state.fetchCount
            let task = Task {
                await fetch(questions)
                await before?.value
                self.state.withLock { if $0.fetchCount == number { $0.fetch = nil } }
            }
            state.fetch = task
            return task
        }
        await task?.value
        return task != nil
    }

    /// Saves an answer from the current state, in place of those from an earlier one.
    ///
    /// - Parameter number: The number of the state that was asked. An answer from another than the current one is not saved.
    func save(_ answer: Result<any Sendable, AtriumError>, to question: CatalogQuestion, of number: Int?) {
        guard let number, clock.prolong(number) else { return }
        state.withLock { state in
            if state.number != number { (state.answers, state.number) = ([:], number) }
            state.answers[question] = answer
        }
    }
}

/// A question about a catalog whose answer must be fetched.
enum CatalogQuestion: Hashable {
    /// The versions of a bundle, as ``CatalogVersions``.
    case versions(BundleIdentifier)
    /// A package, as ``RemotePackage``; `nil` if it is not offered.
    case package(BundleIdentity)
    /// The identifiers of the bundles that may meet a need.
    case providers(CatalogNeed)
    /// All packages, and the errors of those that cannot be offered.
    case listing
    /// The newest state, which has no value.
    case reachability
}
