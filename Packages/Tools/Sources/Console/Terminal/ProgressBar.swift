import Synchronization

/// Lines on standard error that show the progress of long operations.
///
/// They are drawn only on a terminal, at most ten times a second. Elsewhere, each operation that takes long writes a line every ten seconds, and
/// the final summary is written, if there is one. The bar can be updated from any thread.
///
/// ```swift
/// let bar = ProgressBar()
/// bar.update(done: 1_200_000, total: 4_800_000, label: "com.example.shop")
/// bar.finish("downloaded com.example.shop")
/// ```
public final class ProgressBar: Sendable {
    /// The unit of progress.
    public enum Unit: Sendable {
        /// Bytes, shown in decimal units such as kB and MB, with their rate and the time left.
        case bytes
        /// Items, shown as plain numbers.
        case items
    }

    /// The progress of one operation.
    private struct Row {
        let name: String
        var label: String
        var done = 0
        var total: Int?
        var rate = ProgressRate()
        var lastWritten: Duration

        var isComplete: Bool { total.map { $0 > 0 && done >= $0 } ?? false }
    }

    private struct State {
        var lastDrawn: Duration?
        var rows: [Row] = []
        /// The number of lines on the terminal.
        var height = 0
        var isFinished = false
    }

    /// The ECMA-48 sequence EL, which erases from the cursor to the end of the line.
    private static let eraseToEnd = "\u{1B}[K"
    /// The ECMA-48 sequence ED, which erases from the cursor to the end of the screen.
    private static let eraseBelow = "\u{1B}[J"
    private static let interval = Duration.milliseconds(100)
    /// The interval of the lines that are written where nothing can be drawn.
    private static let writtenInterval = Duration.seconds(10)

    private let terminal: Terminal
    private let unit: Unit
    private let height: Int
    private let clock: @Sendable () -> Duration
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates a bar on standard error, which is not drawn before the first update.
    ///
    /// - Parameter height: the number of operations that are shown at once, one line each. With 1, a new label takes the place of the last.
    public convenience init(unit: Unit = .bytes, height: Int = 1, terminal: Terminal = Terminal(.error)) {
        let start = ContinuousClock.now
        self.init(
            unit: unit, height: height, terminal: terminal, clock: { ContinuousClock.now - start },
            write: { StandardOutput.note($0) })
    }

    package init(
        unit: Unit, height: Int = 1, terminal: Terminal, clock: @escaping @Sendable () -> Duration,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.unit = unit
        // Without escape sequences, the cursor cannot go back to an earlier line.
        self.height = terminal.allowsStyle || !terminal.canRedraw ? max(1, height) : 1
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
    ///   - label: the name of the operation or its current phase, which may be untrusted text.
    ///   - operation: the name of the operation, if its label changes.
    public func update(done: Int, total: Int?, label: String, of operation: String? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            let (now, name) = (clock(), operation ?? label)
            if height == 1 { state.rows.removeAll { $0.name != name } }
            let index = state.rows.firstIndex { $0.name == name }
            let before = index.map { state.rows[$0] }
            var row = before ?? Row(name: name, label: label, lastWritten: now)
            (row.label, row.done, row.total) = (label, done, total)
            row.rate.add(done, at: now)
            if !terminal.canRedraw { writeLine(of: &row, at: now) }
            if let index { state.rows[index] = row } else { state.rows.append(row) }
            let isNews = before?.label != label || row.isComplete && before?.isComplete == false
            let isDue = state.lastDrawn.map { now - $0 >= Self.interval } ?? true
            if terminal.canRedraw, isNews || isDue { draw(&state, at: now) }
        }
    }

    /// Shows an operation no longer, because it has failed.
    public func remove(_ operation: String) {
        state.withLock { state in
            guard !state.isFinished, state.rows.contains(where: { $0.name == operation }) else { return }
            state.rows.removeAll { $0.name == operation }
            if terminal.canRedraw, !state.rows.isEmpty { draw(&state, at: clock()) }
        }
    }

    /// Removes the bar and prints a summary in its place; without a terminal, prints only the summary.
    ///
    /// Later updates and calls have no effect.
    public func finish(_ summary: String? = nil) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            var erasing = ""
            if state.lastDrawn != nil {
                erasing = up(state.height) + filled("") + (terminal.allowsStyle ? "" : "\r")
                if state.height > 1 { erasing += Self.eraseBelow }
            }
            let text = erasing + (summary.map { printable($0) + "\n" } ?? "")
            if !text.isEmpty { write(text) }
        }
    }

    private func draw(_ state: inout State, at now: Duration) {
        // Operations that still run come first; of the others, the last one is shown if nothing else is.
        var rows = state.rows.filter { !$0.isComplete }
        if rows.isEmpty { rows = [state.rows.last].compactMap(\.self) }
        rows = Array(rows.prefix(height))
        // One column stays empty, because a full line would make some terminals wrap.
        let labelWidth = state.rows.map { displayWidth(of: printable($0.label)) }.max() ?? 0
        let lines = rows.map { filled(line(of: $0, at: now, width: terminal.width - 1, labelWidth: labelWidth)) }
        write(
            up(state.height) + lines.joined(separator: "\n")
                + (lines.count < state.height ? Self.eraseBelow : ""))
        (state.height, state.lastDrawn) = (lines.count, now)
    }

    /// Writes a line where nothing can be drawn, for an operation that takes long.
    private func writeLine(of row: inout Row, at now: Duration) {
        guard now - row.lastWritten >= Self.writtenInterval else { return }
        row.lastWritten = now
        write(line(of: row, at: now, width: .max) + "\n")
    }

    private func line(of row: Row, at now: Duration, width: Int, labelWidth: Int = 0) -> String {
        Self.line(
            done: row.done, total: row.total, label: row.label, unit: unit, width: width, labelWidth: labelWidth,
            rate: unit == .bytes && !row.isComplete ? row.rate.perSecond(at: now) : nil)
    }

    /// Returns the movement of the cursor to the beginning of the first of some lines, of which it is in the last one.
    private func up(_ height: Int) -> String { (height > 1 ? "\u{1B}[\(height - 1)A" : "") + "\r" }

    /// Returns the line with the rest of the previous line erased, by spaces if escape sequences are disabled.
    private func filled(_ line: String) -> String {
        terminal.allowsStyle ? line + Self.eraseToEnd : padded(line, to: terminal.width - 1)
    }
}
