import Glibc
internal import Synchronization

/// One of the two output streams of a program.
public enum StandardStream: Int32, Sendable {
    /// Results, which are what the user asked for and nothing else.
    case output = 1
    /// Everything else, such as errors, progress and notes.
    case error = 2

    /// The file descriptor of the stream.
    public var descriptor: Int32 {
        self == .output ? reserved.load(ordering: .acquiring) : rawValue
    }
}

/// The file descriptor of results.
private let reserved = Atomic<Int32>(StandardStream.output.rawValue)

/// An error of an output stream, such as a full disk; a reader that has gone away is not an error.
public struct OutputError: Error, Sendable, Equatable {
    /// The system's error number.
    public let errno: Int32

    /// The report for people and scripts.
    public var report: FailureReport {
        FailureReport(
            code: "outputFailed", subject: "standard output",
            message: localized("cannot write the result: \(System.message(errno: errno))"),
            remedy: localized("check that its destination is open and has space left"))
    }
}

/// A relay of the text of other code; a struct, because a bare closure in a generic type is wrapped again at each access.
private struct Relay {
    var flush: (@Sendable () -> Void)?
}

private let relaying = Mutex(Relay())
private let relayed = Mutex(RelayedOutput())

/// Unbuffered output of whole texts, so that no text is lost when the program exits.
public enum StandardOutput {
    /// Writes a whole text.
    ///
    /// - Returns: `false` if the reader has gone away (EPIPE), as with `| head`; the program should then end.
    /// - Throws: ``OutputError`` for any other error, which must not be ignored for ``StandardStream/output``.
    @discardableResult
    public static func write(_ text: String, to stream: StandardStream = .output) throws(OutputError) -> Bool {
        settle()
        return try write(text, descriptor: stream.descriptor)
    }

    /// Reserves standard output for the program's own results.
    ///
    /// Other code in the process that writes to descriptor 1, and child processes that inherit it, write to standard error from now
    /// on.
    ///
    /// - Throws: ``OutputError`` if no descriptor is available. If standard output is closed, this succeeds and later writes fail.
    public static func reserve() throws(OutputError) {
        reserved.store(try System.reserveOutput(), ordering: .releasing)
    }

    /// Writes text of other code in the process to standard error, with control characters escaped and each line preceded by a
    /// name.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, whose invalid parts are replaced. A line may be split over several calls.
    ///   - name: the name of the writer; `nil` if it is unknown.
    public static func relay(_ bytes: UnsafeRawBufferPointer, from name: String?) {
        relayed.withLock { output in pass(output.text(of: bytes, from: name)) }
    }

    /// Writes the text that other code has written so far and ends its line, as every write of the program does first.
    public static func settle() {
        // The lock must not be held, because flushing calls `write`.
        relaying.withLock { $0 }.flush?()
        relayed.withLock { output in pass(output.endLine()) }
    }

    /// Sets a closure that relays earlier text of other code before each write.
    public static func beforeWriting(_ flush: @escaping @Sendable () -> Void) {
        relaying.withLock { $0.flush = flush }
    }

    private static func pass(_ text: String) {
        if !text.isEmpty { _ = try? write(text, descriptor: StandardStream.error.descriptor) }
    }

    /// Writes a note to standard error; errors are ignored, because there is no way to report them.
    ///
    /// Passwords in addresses are left out.
    public static func note(_ text: String) {
        _ = try? write(redacted(text), to: .error)
    }

    /// Prepares the process for everything that happens to its streams; call it first in `main`.
    ///
    /// A closed pipe and a reached limit for the size of files are errors and do not end the process, SIGQUIT ends it without a crash
    /// report, and no file that is opened later takes the place of a closed standard stream.
    public static func prepareProcess() {
        System.holdStandardStreams()
        System.takeSignals()
    }

    /// Returns whether somebody still reads both streams, as far as the system knows.
    ///
    /// A stream that was closed, or that leads to a file, is not waited for.
    public static var isHeard: Bool {
        System.haveReaders([StandardStream.output.descriptor, StandardStream.error.descriptor])
    }

    /// Ignores SIGPIPE, so that writing to a closed pipe fails instead of ending the process; call it first in `main`.
    ///
    /// Child processes inherit this setting; reset the signal before you start one that relies on SIGPIPE.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    package static func write(_ text: String, descriptor: Int32) throws(OutputError) -> Bool {
        try System.write(Array(text.utf8), to: descriptor)
    }
}

/// Text that other code in the process writes, on its way to standard error.
struct RelayedOutput {
    /// The size of the longest line in bytes; the rest of a longer one is another line.
    private static let limit = 1 << 16

    /// The line that has not ended, with its writer.
    private var open: (name: String?, line: [UInt8])?

    /// Returns the text to write for received bytes: that of the lines which they end.
    mutating func text(of bytes: some Sequence<UInt8>, from name: String?) -> String {
        var text = open.map { $0.name != name } ?? false ? endLine() : ""
        let pieces = Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            let line = (open?.line ?? []) + piece
            open = (name, line)
            if index < pieces.count - 1 || line.count > Self.limit { text += endLine() }
        }
        if open?.line.isEmpty == true { open = nil }
        return text
    }

    /// Returns the current line with its end.
    mutating func endLine() -> String {
        guard let ended = open else { return "" }
        open = nil
        let head = ended.name.map { printable($0) + ": " } ?? ""
        return head + printable(String(decoding: ended.line, as: UTF8.self), keepingLines: true) + "\n"
    }
}
