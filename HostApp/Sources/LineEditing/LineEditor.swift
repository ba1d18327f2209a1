import CLineEditor
import Dispatch
import Glibc
import Synchronization

/// An editor for lines that the user types on a terminal, with a history and completion.
///
/// ```swift
/// guard let editor = LineEditor(program: "hostapp", output: 1) else { return }
/// while case .line(let text) = await editor.next(completing: { _ in .none }) { editor.remember(text) }
/// ```
package final class LineEditor: Sendable {
    /// The outcome of reading a line.
    package enum Input: Sendable, Equatable {
        /// A finished line.
        case line(String)
        /// The end of the input.
        case end
        /// A line that was abandoned by ``LineEditor/interrupt()``.
        case interrupted
    }

    /// A closure that returns the change by the tab key for the text before the cursor. It is called on another thread.
    package typealias Completion = @Sendable (String) -> LineChange

    /// The state while a line is read, with the requests of other threads.
    private struct Reading {
        var completion: Completion?
        var isInterrupted = false
        var isResized = false
        var isContinued = false
        var text = ""
    }

    /// The reading of a line, which has a completion while it goes on.
    private let reading = Mutex(Reading())
    // because: the C functions that take it are called on one queue, or guard themselves with a lock.
    private nonisolated(unsafe) let editor: OpaquePointer
    private let queue = DispatchQueue(label: "line editor")

    /// Creates an editor on standard input; `nil` if libedit is not installed.
    ///
    /// - Parameters:
    ///   - program: The name by which the user's `.editrc` knows the program.
    ///   - output: The descriptor of the terminal.
    package init?(program: String, output: Int32) {
        guard let editor = line_editor_create(program, STDIN_FILENO, output) else { return nil }
        self.editor = editor
    }

    deinit { line_editor_destroy(editor) }

    /// Gives the terminal back at once, from any thread, because the process is about to end.
    package static func restore() { line_editor_restore() }

    /// Adds a line to the history.
    package func remember(_ line: String) { queue.sync { line_editor_remember(editor, line) } }

    /// Reads a line, without blocking a thread of the concurrency pool.
    package func next(completing completion: @escaping Completion) async -> Input {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: read(completion)) }
        }
    }

    private func read(_ completion: @escaping Completion) -> Input {
        reading.withLock { $0 = Reading(completion: completion) }
        var text: UnsafeMutablePointer<CChar>?
        let caller = line_caller(context: Unmanaged.passUnretained(self).toOpaque()) { context, text in
            let completion = LineEditor.of(context)?.reading.withLock { $0.completion }
            guard let text, let change = completion?(String(cString: text)) else { return line_change() }
            return line_change(
                removed: change.removed, inserted: change.inserted.flatMap { strdup($0) },
                shown: change.shown.flatMap { strdup($0) })
        } attend: { context, isLast in
            LineEditor.of(context)?.reading.withLock { reading in
                if isLast { reading.completion = nil }
                defer { (reading.text, reading.isResized, reading.isContinued) = ("", false, false) }
                let text = reading.text.isEmpty ? nil : strdup(reading.text)
                return line_request(
                    is_interrupted: reading.isInterrupted, is_resized: reading.isResized,
                    is_continued: reading.isContinued, text: text)
            } ?? line_request()
        }
        let result = line_editor_read(editor, caller, &text)
        defer { free(text) }
        guard result == LINE_READ, let text else { return result == LINE_INTERRUPTED ? .interrupted : .end }
        return .line(String(cString: text))
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> LineEditor? {
        context.map { Unmanaged<LineEditor>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Abandons the line that is read; does nothing if none is.
    package func interrupt() { _ = request { $0.isInterrupted = true } }

    /// Draws the line that is read again after the terminal has changed its size.
    package func resized() { _ = request { $0.isResized = true } }

    /// Takes the terminal again after the process was continued.
    package func continued() { _ = request { $0.isContinued = true } }

    /// Shows text above the line that is read.
    ///
    /// - Returns: `false` if none is, so that the caller writes the text.
    package func show(_ text: String) -> Bool { request { $0.text += text } }

    private func request(_ change: (inout Reading) -> Void) -> Bool {
        let isReading = reading.withLock { reading in
            if reading.completion != nil { change(&reading) }
            return reading.completion != nil
        }
        if isReading { line_editor_wake(editor) }
        return isReading
    }
}

/// The change that the tab key makes to a line.
package struct LineChange: Sendable, Equatable {
    /// The number of code points before the cursor to remove.
    package var removed = 0
    /// The text to insert; `nil` for none.
    package var inserted: String?
    /// The lines to show below the line; `nil` for none.
    package var shown: String?

    /// Creates a change.
    package init(removed: Int = 0, inserted: String? = nil, shown: String? = nil) {
        self.removed = removed
        self.inserted = inserted
        self.shown = shown
    }

    /// No change.
    package static let none = LineChange()

    /// A text that can take the place of the word before the cursor.
    ///
    /// The label is the text as it is listed, and no space follows a part.
    package typealias Choice = (text: String, label: String, isPart: Bool)

    /// Completes a word as far as all choices agree, and lists them if this adds nothing.
    ///
    /// - Parameters:
    ///   - typed: The word before the cursor.
    ///   - width: The columns of the terminal.
    package init(_ choices: [Choice], for typed: String, width: Int) {
        guard let first = choices.first else { return }
        var common = Substring(first.text)
        for choice in choices.dropFirst() { common = common.prefix(Self.agreement(common, choice.text)) }
        let isOnly = choices.count == 1
        let text = isOnly && !first.isPart ? common + " " : common
        if isOnly || text.count > typed.count {
            removed = typed.unicodeScalars.count
            inserted = String(text)
        } else {
            shown = Self.columns(choices.map(\.label), width: width)
        }
    }

    private static func agreement(_ one: Substring, _ other: String) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }

    /// Lays texts out in as many columns as fit, each read from top to bottom.
    private static func columns(_ labels: [String], width: Int) -> String {
        let widest = (labels.map(\.count).max() ?? 0) + 2
        let count = max(1, min(labels.count, width / max(1, widest)))
        let rows = (labels.count + count - 1) / count
        return (0..<rows).map { row in
            let cells = stride(from: row, to: labels.count, by: rows).map { labels[$0] }
            let padded = cells.dropLast().map { $0 + String(repeating: " ", count: widest - $0.count) }
            return padded.joined() + (cells.last ?? "") + "\n"
        }.joined()
    }
}
