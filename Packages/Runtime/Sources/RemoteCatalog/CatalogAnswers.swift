import PluginCore
import Synchronization

/// The fetched answers about a catalog, and the questions without one.
final class CatalogAnswers: Sendable {
    private struct State {
        var answers: [CatalogQuestion: Result<CatalogAnswer, AtriumError>] = [:]
        var open: Set<CatalogQuestion> = []
    }

    private let state = Mutex(State())

    /// Returns the answer to a question, or notes that it must be fetched.
    ///
    /// - Throws: The error of the fetch, or ``AtriumError`` with code `catalogUnreachable` and reason `notFetched`.
    func answer(_ question: CatalogQuestion, of catalog: String) throws(AtriumError) -> CatalogAnswer {
        let result = state.withLock { state in
            if state.answers[question] == nil { state.open.insert(question) }
            return state.answers[question]
        }
        guard let result else { throw AtriumError(.catalogUnreachable, catalog, reason: "notFetched") }
        return try result.get()
    }

    /// Returns the questions without an answer, once.
    func takeOpen() -> Set<CatalogQuestion> {
        state.withLock { state in
            defer { state.open = [] }
            return state.open
        }
    }

    func save(_ answers: [CatalogQuestion: Result<CatalogAnswer, AtriumError>]) {
        state.withLock { $0.answers.merge(answers) { $1 } }
    }

    /// Forgets all answers, so that they are fetched again.
    func removeAll() {
        state.withLock { $0.answers = [:] }
    }
}
