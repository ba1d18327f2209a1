import Console
import PluginCore

/// A field of a form: a line of text, or one of some values.
struct FormField {
    private static let toggle = [PageOption("false", title: "[ ]"), PageOption("true", title: "[x]")]

    let name: String
    let label: String
    /// The text of a field without options.
    private var text: TextInput
    private let options: [PageOption]
    /// The place of the chosen option.
    private var choice = 0
    private let isToggle: Bool

    init(_ field: PageField, value: String) {
        (name, label, text, isToggle) = (field.name, field.label, TextInput(value), field.kind == .toggle)
        options =
            switch field.kind {
            case .toggle: Self.toggle
            case .choice(let options): options
            default: []
            }
        choice = options.firstIndex { $0.value == value } ?? 0
    }

    /// The value that the page gets.
    var value: String { options.isEmpty ? text.text : options[choice].value }

    mutating func handle(_ key: Key) {
        guard !options.isEmpty else { return text.handle(key) }
        let step = key == .left ? options.count - 1 : [.character(" "), .right].contains(key) ? 1 : 0
        choice = (choice + step) % options.count
    }

    /// Draws the value.
    func draw(on canvas: inout Canvas, in place: Rectangle, isSelected: Bool, _ styles: ScreenStyles) {
        guard !options.isEmpty else { return text.draw(on: &canvas, in: place, isSelected: isSelected) }
        let title = isToggle ? options[choice].title : "‹ \(options[choice].title) ›"
        canvas.write(title, in: place, isSelected ? styles.selection : styles.action)
    }
}

/// A line of text that the user edits.
struct TextInput {
    private(set) var text: String
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Edits the text, if the key has a meaning for one.
    mutating func handle(_ key: Key) {
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
    /// - Parameter isSelected: `true` if the cursor is shown.
    func draw(on canvas: inout Canvas, in place: Rectangle, isSelected: Bool = true) {
        let style = CellStyle(.underline)
        canvas.fill(place, style)
        var before = text.prefix(cursor).map { printable(String($0)) }
        while before.count > 1, displayWidth(of: before.joined()) >= place.columns { before.removeFirst() }
        let start = canvas.write(before.joined(), in: place, style)
        let rest = place.line(0, from: start - place.column)
        canvas.write(String(text.dropFirst(cursor)), in: rest, style)
        if isSelected { canvas.cursor = (min(start, place.endColumn - 1), place.row) }
    }
}
