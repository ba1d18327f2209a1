import AppScreens

/// The questions of installs on demand, which wait for an answer in a dialog.
@MainActor
final class ScreenQuestions {
    private var waiting: [(number: Int, answer: CheckedContinuation<Bool, Never>)] = []
    private var last = 0

    /// Asks a question; without an answer, because the caller was canceled, it is answered with no.
    ///
    /// - Parameters:
    ///   - show: shows the question.
    ///   - dismiss: removes it again if nobody waits for the answer any more.
    func ask(_ show: @MainActor () -> Void, dismiss: @escaping @MainActor () -> Void) async -> Bool {
        last += 1
        let number = last
        show()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            Task { @MainActor in
                guard let index = self.waiting.firstIndex(where: { $0.number == number }) else { return }
                dismiss()
                self.waiting.remove(at: index).answer.resume(returning: false)
            }
        }
    }

    /// Answers the last question.
    func answer(_ isYes: Bool) { waiting.popLast()?.answer.resume(returning: isYes) }

    /// Answers all questions with no.
    func refuseAll() { while !waiting.isEmpty { answer(false) } }
}
