import Synchronization

/// A line on standard error that shows the progress of a long operation.
///
/// The line is drawn only on a terminal, at most ten times a second; otherwise only the final summary is written, if there is one.
/// The bar can be updated from any thread.
///
/// ```swift
/// let bar = ProgressBar()
/// bar.update(done: 1_200_000, total: 4_800_000, label: "com.example.shop")
/// bar.finish("downloaded com.example.shop")
/// ```
public final class ProgressBar: Sendable {
    /// The unit of progress.
    public enum Unit: Sendable {
        /// Bytes, shown in decimal units such as kB and MB.
        case bytes
        /// Items, shown as plain numbers.
        case items
    }

    private struct State {
        var lastDrawn: Duration?
        var label = ""
        var isComplete = false
        var isFinished = false
    }

    /// The ECMA-48 sequence EL, which erases from the cursor to the end of the line.
    private static let eraseToEnd = "\u{1B}[K"
    private static let interval = Duration.milliseconds(100)

    private let terminal: Terminal
    private let unit: Unit
    private let clock: @Sendable () -> Duration
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates a bar on standard error, which is not drawn before the first update.
    public convenience init(unit: Unit = .bytes, terminal: Terminal = Terminal(.error)) {
        let start = ContinuousClock.now
        self.init(
            unit: unit, terminal: terminal, clock: { ContinuousClock.now - start },
            write: { StandardOutput.note($0) })
    }

    package init(
        unit: Unit, terminal: Terminal, clock: @escaping @Sendable () -> Duration,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.unit = unit
        self.terminal = terminal
        self.clock = clock
        self.write = write
    }

    deinit {
        // A failed operation must not leave a partial line before its error message.
        finish()
    }

    /// Shows a new state, unless the last one was drawn less than a tenth of a second ago.
    ///
    /// A new label and completion are always drawn at once.
    ///
    /// - Parameters:
    ///   - total: the total amount; if it is `nil` or 0, only `done` is shown.
    ///   - label: the name of the current phase, which may be untrusted text.
    public func update(done: Int, total: Int?, label: String) {
        guard terminal.canRedraw else { return }
        state.withLock { state in
            let now = clock()
            let isComplete = total.map { $0 > 0 && done >= $0 } ?? false
            let isNews = label != state.label || isComplete && !state.isComplete
            let isDue = state.lastDrawn.map { now - $0 >= Self.interval } ?? true
            guard !state.isFinished, isNews || isDue else { return }
            state.lastDrawn = now
            state.label = label
            state.isComplete = isComplete
            // One column stays empty, because a full line would make some terminals wrap.
            let line = Self.line(done: done, total: total, label: label, unit: unit, width: terminal.width - 1)
            write("\r" + filled(line))
        }
    }

    /// Removes the bar and prints a summary in its place; without a terminal, prints only the summary.
    ///
    /// Later updates and calls have no effect.
    public func finish(_ summary: String? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            let erasing = state.lastDrawn == nil ? "" : "\r" + filled("") + (terminal.allowsStyle ? "" : "\r")
            let text = erasing + (summary.map { printable($0) + "\n" } ?? "")
            if !text.isEmpty { write(text) }
        }
    }

    /// Returns the line with the rest of the previous line erased, by spaces if escape sequences are disabled.
    private func filled(_ line: String) -> String {
        terminal.allowsStyle ? line + Self.eraseToEnd : padded(line, to: terminal.width - 1)
    }
}
