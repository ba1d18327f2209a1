internal import Dispatch

import Glibc

/// Standard input as lines, read without blocking a thread of the concurrency pool.
struct LineInput: Sendable {
    private let queue = DispatchQueue(label: "standard input")

    /// A Boolean value that indicates whether standard input is a terminal.
    let isTerminal = isatty(STDIN_FILENO) == 1

    /// Returns the next line without its line break; `nil` at the end of the input.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }
}
