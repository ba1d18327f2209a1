/// One of the two streams a program speaks on.
public enum StandardStream: Int32, Sendable {
    /// Results: what was asked for, and nothing else.
    case output = 1
    /// Everything said about the work: errors, progress, remarks.
    case error = 2
}

/// Why a stream took no more: a full disk, a closed descriptor. A reader that went away is no error.
public struct OutputError: Error, Sendable, Equatable {
    /// The system's error number.
    public let errno: Int32

    /// The fault in words; ends a program with ``ExitStatus/ioError``.
    public var report: FailureReport {
        FailureReport(
            code: "outputFailed", subject: "standard output",
            message: "cannot write the result: \(System.message(errno: errno))",
            remedy: "check that its destination is open and has space left")
    }
}

/// Unbuffered writing of whole texts, so that nothing is left behind when the program exits.
public enum StandardOutput {
    /// Writes all of a text, or fails.
    /// - Returns: false when the reader is gone (EPIPE), as under `| head`: there is no point in going on.
    /// - Throws: ``OutputError`` for any other fault, which on ``StandardStream/output`` must not go unnoticed.
    @discardableResult
    public static func write(_ text: String, to stream: StandardStream = .output) throws(OutputError) -> Bool {
        try write(text, descriptor: stream.rawValue)
    }

    /// Writes a remark to standard error; faults are passed over, because there is nowhere left to report them.
    public static func note(_ text: String) {
        _ = try? write(text, to: .error)
    }

    /// Makes a write to a closed pipe return instead of ending the process by SIGPIPE; call it first in `main`.
    ///
    /// Child processes inherit it: whoever starts one that relies on SIGPIPE resets the signal there.
    public static func ignoreBrokenPipes() { System.ignoreBrokenPipes() }

    package static func write(_ text: String, descriptor: Int32) throws(OutputError) -> Bool {
        let bytes = Array(text.utf8)
        // The closure returns its fault, because `withUnsafeBytes` would widen what it throws.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(OutputError) in try System.write(buffer, to: descriptor) }
        }
        return try result.get()
    }
}
