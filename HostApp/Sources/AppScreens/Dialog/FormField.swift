import PluginCore
import TerminalScreen

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
            _ = text.handle(key)
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
