import Synchronization

/// The last lines that were written to standard output and standard error while screens were shown.
final class OutputLines: Sendable {
    private static let limit = 1_000
    private let state = Mutex((lines: [String](), open: ""))

    /// The lines, oldest first.
    var all: [String] { state.withLock { $0.lines + ($0.open.isEmpty ? [] : [$0.open]) } }

    /// Adds text, which may end within a line.
    ///
    /// - Returns: the last line that the text has completed.
    func add(_ text: String) -> String? {
        state.withLock { state in
            var lines = (state.open + text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            state.open = String((lines.popLast() ?? "").suffix(10_000))
            let full = lines.filter { !$0.isEmpty }
            state.lines = (state.lines + full).suffix(Self.limit)
            return full.last
        }
    }
}
