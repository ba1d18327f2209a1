internal import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard input, line by line, without keeping a thread of the concurrency pool waiting.
struct LineInput: Sendable {
    private let queue = DispatchQueue(label: "standard input")

    /// A Boolean value that indicates whether a person types.
    let isTerminal = isatty(STDIN_FILENO) == 1

    /// The next line without its end; `nil` at the end of input.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }
}
