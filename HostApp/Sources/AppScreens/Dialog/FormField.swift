import Console
import PluginCore
package import TerminalScreen

/// A field of a form: a line of text, or one of some values.
struct FormField: Equatable, Sendable {
    private enum Input: Equatable, Sendable {
        case text(TextInput)
        case toggle(Bool)
        case choice([PageOption], Int)
    }

    let name: String
    let label: String
    private var input: Input

    init(_ field: PageField, value: String) {
        (name, label) = (field.name, field.label)
        input =
            switch field.kind {
            case .text: .text(TextInput(value))
            case .toggle: .toggle(value == "true")
            case .choice(let options): .choice(options, options.firstIndex { $0.value == value } ?? 0)
            @unknown default: .text(TextInput(value))
            }
    }

    /// The value that the page gets.
    var value: String {
        switch input {
        case .text(let input): input.text
        case .toggle(let isOn): isOn ? "true" : "false"
        case .choice(let options, let index): options.indices.contains(index) ? options[index].value : ""
        }
    }

    mutating func handle(_ key: Key) {
        switch input {
        case .text(var text):
            text.handle(key)
            input = .text(text)
        case .toggle(let isOn):
            if [.character(" "), .left, .right].contains(key) { input = .toggle(!isOn) }
        case .choice(let options, let index):
            guard !options.isEmpty else { return }
            switch key {
            case .character(" "), .right: input = .choice(options, (index + 1) % options.count)
            case .left: input = .choice(options, (index + options.count - 1) % options.count)
            default: break
            }
        }
    }

    /// Draws the value.
    ///
    /// - Returns: the column of the cursor; `nil` where no text is entered.
    func draw(
        on canvas: inout Canvas, column: Int, row: Int, width: Int, isSelected: Bool, _ styles: ScreenStyles
    ) -> Int? {
        let style = isSelected ? styles.selection : styles.action
        switch input {
        case .text(let text):
            return text.draw(on: &canvas, column: column, row: row, width: width, style: CellStyle(.underline))
        case .toggle(let isOn):
            canvas.write(isOn ? "[x]" : "[ ]", column: column, row: row, width: width, style: style)
        case .choice(let options, let index):
            let title = options.indices.contains(index) ? options[index].title : ""
            canvas.write("‹ \(title) ›", column: column, row: row, width: width, style: style)
        }
        return nil
    }
}

/// A line of text that the user edits.
package struct TextInput: Equatable, Sendable {
    package private(set) var text: String
    /// The number of characters before the cursor.
    package private(set) var cursor: Int

    package init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Edits the text, if the key has a meaning for one.
    package mutating func handle(_ key: Key) {
        switch key {
        case .character(let character): insert(character)
        case .backspace: if cursor > 0 { remove(at: cursor - 1) }
        case .delete: if cursor < text.count { remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): self = TextInput()
        default: break
        }
    }

    private mutating func insert(_ character: Character) {
        let before = text.count
        text.insert(character, at: text.index(text.startIndex, offsetBy: cursor))
        // A combining mark joins the character before it.
        cursor = max(0, cursor + text.count - before)
    }

    private mutating func remove(at offset: Int) {
        text.remove(at: text.index(text.startIndex, offsetBy: offset))
        cursor = min(offset, text.count)
    }

    /// Draws the part of the text around the cursor.
    ///
    /// - Returns: the column of the cursor.
    package func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int, style: CellStyle) -> Int {
        canvas.fill(Rectangle(column: column, row: row, columns: width, rows: 1), style: style)
        var before = text.prefix(cursor).map { printable(String($0)) }
        while before.count > 1, displayWidth(of: before.joined()) >= width { before.removeFirst() }
        let start = canvas.write(before.joined(), column: column, row: row, width: width, style: style)
        canvas.write(
            String(text.dropFirst(cursor)), column: start, row: row, width: column + width - start, style: style)
        return min(start, column + width - 1)
    }
}
