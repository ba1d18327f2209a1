internal import Synchronization

/// One of the two streams a program speaks on.
public enum StandardStream: Int32, Sendable {
    /// Results: what was asked for, and nothing else.
    case output = 1
    /// Everything said about the work: errors, progress, remarks.
    case error = 2

    /// The descriptor that leads there now.
    public var descriptor: Int32 {
        self == .output ? reserved.load(ordering: .acquiring) : rawValue
    }
}

/// Where results go.
private let reserved = Atomic<Int32>(StandardStream.output.rawValue)

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
        settle()
        return try write(text, descriptor: stream.descriptor)
    }

    /// Keeps standard output for ``write(_:to:)``: whatever else in the process writes to descriptor 1, and child processes that
    /// inherit it, write to standard error from now on.
    ///
    /// - Throws: ``OutputError`` when there is no descriptor left. A standard output that is closed is none: to write to it fails.
    public static func reserve() throws(OutputError) {
        reserved.store(try System.reserveOutput(), ordering: .releasing)
    }

    /// Writes text of other code in the process to standard error: made printable, each line headed by a name.
    ///
    /// - Parameters:
    ///   - bytes: the text, as UTF-8; what is not is replaced. A line may come in pieces.
    ///   - name: whose text it is; `nil` for nobody's.
    public static func relay(_ bytes: UnsafeRawBufferPointer, from name: String?) {
        RelayedOutput.write(bytes, from: name)
    }

    /// Writes what other code has written so far, and ends its line; done before each text of the program's own.
    public static func settle() {
        RelayedOutput.settle()
    }

    /// Has `flush` called before each text that is written, so that it can relay what was written before.
    public static func beforeWriting(_ flush: @escaping @Sendable () -> Void) {
        RelayedOutput.beforeSettling(flush)
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
