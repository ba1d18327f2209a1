import Console
import Dispatch
import Synchronization

extension TerminalQuestion {
    /// Asks a question without blocking a thread of the concurrency pool, because a user may take any time to answer.
    ///
    /// - Returns: As ``confirm(_:while:)``; `false` when the calling task is canceled.
    static func answer(_ question: String) async -> Bool {
        let isWanted = AnswerWanted()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "question").async {
                    let isYes = confirm(question) { isWanted.flag.load(ordering: .acquiring) }
                    continuation.resume(returning: isYes)
                }
            }
        } onCancel: {
            isWanted.flag.store(false, ordering: .releasing)
        }
    }
}

/// A flag that is `true` while a caller still waits for the answer; Control-C in a session clears it.
private final class AnswerWanted: Sendable {
    let flag = Atomic(true)
}
