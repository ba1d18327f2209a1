import Synchronization

/// One line on standard error that shows how far a long piece of work has come.
///
/// Draws only where a line can be drawn over, at most ten times a second; elsewhere nothing appears but, if wished, one
/// line at the end. May be updated from any thread.
///
/// ```swift
/// let bar = ProgressBar()
/// bar.update(done: 1_200_000, total: 4_800_000, label: "com.example.shop")
/// bar.finish("downloaded com.example.shop")
/// ```
public final class ProgressBar: Sendable {
    /// What is counted.
    public enum Unit: Sendable {
        /// Bytes, shown as kB, MB, GB of powers of ten.
        case bytes
        /// Things, shown as plain numbers.
        case items
    }

    private struct State {
        var lastDrawn: Duration?
        var label = ""
        var isComplete = false
        var isFinished = false
    }

    /// ECMA-48, EL: erases from the cursor to the end of the line.
    private static let eraseToEnd = "\u{1B}[K"
    private static let interval = Duration.milliseconds(100)

    private let terminal: Terminal
    private let unit: Unit
    private let clock: @Sendable () -> Duration
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// A bar on standard error, not drawn before the first update.
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
        // Work that failed leaves no half-drawn line in front of its error message.
        finish()
    }

    /// Shows a new state, unless the last one was drawn a moment ago; a new label and the end are drawn at once.
    /// - Parameters:
    ///   - total: nil or 0 when unknown; then only `done` is shown.
    ///   - label: names the phase of work, untrusted text allowed.
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
            // One column stays free: a full line would make some terminals wrap, and the redraw start a line too low.
            let line = Self.line(done: done, total: total, label: label, unit: unit, width: terminal.width - 1)
            write("\r" + filled(line))
        }
    }

    /// Removes the bar, and leaves `summary` as a line in its place; on a file or pipe, writes just that line.
    ///
    /// Updates and calls that come later are passed over.
    public func finish(_ summary: String? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            let erasing = state.lastDrawn == nil ? "" : "\r" + filled("") + (terminal.allowsStyle ? "" : "\r")
            let text = erasing + (summary.map { printable($0) + "\n" } ?? "")
            if !text.isEmpty { write(text) }
        }
    }

    /// The line with nothing left behind it of the one before. Where escapes are not wanted, as with `NO_COLOR`, spaces do
    /// that.
    private func filled(_ line: String) -> String {
        terminal.allowsStyle ? line + Self.eraseToEnd : padded(line, to: terminal.width - 1)
    }
}
