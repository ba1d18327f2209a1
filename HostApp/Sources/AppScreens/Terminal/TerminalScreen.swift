import CCurses
import Dispatch
import Glibc
package import PluginCore

/// The full screen of a terminal, drawn by ncurses.
///
/// While it is open, text that any code writes to standard output or standard error goes to ``onOutput`` and not to the terminal. The terminal
/// is given back when the screen is closed, when a signal ends the process, and by ``restore()``.
@MainActor
package final class TerminalScreen {
    /// An event of the terminal.
    package enum Event {
        case input(ScreenInput)
        /// The size has changed, or the process was continued after a stop.
        case changed
        /// Nobody can type any more.
        case ended
    }

    private var sources: [any DispatchSourceProtocol] = []
    private var signals: SignalHandler?
    private var shown: Canvas?
    private let input: Int32

    /// Opens the screen.
    ///
    /// - Parameters:
    ///   - output: the descriptor of the terminal to draw on.
    ///   - input: the descriptor of the terminal to read from.
    ///   - onEvent: called for each event.
    ///   - onOutput: called on another queue with text that was written to standard output or standard error.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no screen.
    package init(
        output: Int32, input: Int32 = STDIN_FILENO, onEvent: @escaping @MainActor (Event) -> Void,
        onOutput: @escaping @Sendable (String) -> Void
    ) throws(AtriumError) {
        self.input = input
        signals = SignalHandler(SIGWINCH, SIGTSTP) { [weak self] number in
            Task { @MainActor in
                if number == SIGTSTP { curses_suspend() }
                self?.shown = nil
                onEvent(.changed)
            }
        }
        if let reason = curses_open(output, input) {
            signals?.end()
            throw AtriumError(.inputOutput, "the terminal", reason: .verbatim(String(cString: reason)))
        }
        let diverted = curses_diverted()
        let keys = DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)
        keys.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.read(onEvent) }
        }
        let text = DispatchSource.makeReadSource(
            fileDescriptor: diverted, queue: DispatchQueue(label: "diverted output"))
        // Without the annotation, the handler would belong to the main actor, and end the process on its own queue.
        text.setEventHandler { @Sendable in
            var bytes = [UInt8](repeating: 0, count: 16_384)
            let count = Glibc.read(diverted, &bytes, bytes.count)
            if count > 0 { onOutput(String(decoding: bytes[..<count], as: UTF8.self)) }
        }
        sources = [keys, text]
        for source in sources { source.activate() }
    }

    /// The size, which can change at any time.
    package var size: (columns: Int, rows: Int) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        curses_size(&rows, &columns)
        return (Int(columns), Int(rows))
    }

    /// The number of colors.
    package var colors: Int { Int(curses_colors()) }

    /// Shows a canvas; only cells that have changed are drawn.
    package func show(_ canvas: Canvas) {
        let before = shown.flatMap { $0.columns == canvas.columns && $0.rows == canvas.rows ? $0 : nil }
        if before == nil { curses_erase() }
        for row in 0..<canvas.rows {
            for column in 0..<canvas.columns {
                let cell = canvas[column, row]
                if cell.text.isEmpty || cell == (before?[column, row] ?? .blank) { continue }
                put(
                    cell, column: column, row: row,
                    isWide: column + 1 < canvas.columns && canvas[column + 1, row].text.isEmpty)
            }
        }
        curses_update(Int32(canvas.cursor?.row ?? -1), Int32(canvas.cursor?.column ?? -1))
        shown = canvas
    }

    /// Gives the terminal back.
    package func close() {
        for source in sources { source.cancel() }
        signals?.end()
        curses_close()
    }

    /// Gives the terminal back at once, from any thread, because the process is about to end.
    package nonisolated static func restore() { curses_restore() }

    private func put(_ cell: Canvas.Cell, column: Int, row: Int, isWide: Bool) {
        let style = cell.style
        let (foreground, background) = (style.foreground.map(Int32.init) ?? -1, style.background.map(Int32.init) ?? -1)
        let attributes = Int32(style.attributes.rawValue)
        func put(_ text: String, _ column: Int) {
            let scalars = text.unicodeScalars.map(\.value)
            curses_put(
                Int32(row), Int32(column), scalars, Int32(scalars.count), attributes, foreground, background)
        }
        // The C library may take a character for a narrow one that others take for wide.
        if isWide { put(" ", column + 1) }
        put(cell.text, column)
    }

    private func read(_ onEvent: @MainActor (Event) -> Void) {
        var count = 0
        while let next = Self.decoded(curses_read()) {
            count += 1
            onEvent(.input(next))
        }
        guard count == 0 else { return }
        var state = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        if poll(&state, 1, 0) > 0, Int32(state.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0 { onEvent(.ended) }
    }

    private static func decoded(_ input: curses_input) -> ScreenInput? {
        switch input.kind {
        case curses_character: .key(character(input.code))
        case curses_key: .key(key(input.code))
        case curses_press: .press(column: Int(input.column), row: Int(input.row))
        case curses_scroll_up: .scroll(-3)
        case curses_scroll_down: .scroll(3)
        default: nil
        }
    }

    private static func character(_ code: UInt32) -> Key {
        switch code {
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x1B: return .escape
        case 0x08, 0x7F: return .backspace
        case 0x01...0x1A: return .control(Character(Unicode.Scalar(UInt8(code + 0x60))))
        default: return Unicode.Scalar(code).map { .character(Character($0)) } ?? .unknown
        }
    }

    private static func key(_ code: UInt32) -> Key {
        let keys: [Key] = [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .delete, .backspace, .backTab, .help,
        ]
        return keys.indices.contains(Int(code)) ? keys[Int(code)] : .unknown
    }
}

/// A key of the keyboard.
package enum Key: Equatable {
    case character(Character)
    /// A letter together with Control.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, tab, backTab, backspace, delete, help
    /// A key that has no meaning here.
    case unknown
}

/// An input of the user.
package enum ScreenInput {
    case key(Key)
    /// The left button of the mouse was pressed.
    case press(column: Int, row: Int)
    /// The wheel of the mouse was turned by a number of steps; negative is up.
    case scroll(Int)
}
