import Console
package import TerminalScreen

/// A line of text that the user edits.
package struct TextInput: Equatable, Sendable {
    package private(set) var text: String
    /// The number of characters before the cursor.
    package private(set) var cursor: Int

    package init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    /// Edits the text.
    ///
    /// - Returns: `false` if the key has no meaning for a text.
    package mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(character)
        case .backspace: if cursor > 0 { remove(at: cursor - 1) }
        case .delete: if cursor < text.count { remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"): self = TextInput()
        default: return false
        }
        return true
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
