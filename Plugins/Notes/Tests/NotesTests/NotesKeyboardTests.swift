import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import NotesKeyboard

@Suite("The keyboard of Notes", .tags(.medium))
@MainActor
struct NotesKeyboardTests {
    @Test(
        "A sequence of keys becomes the character that it looks like, and each other key inserts itself",
        arguments: [
            (">", "Shop -", TextChange(deleting: 1, inserting: "→")),
            (".", "Well..", TextChange(deleting: 2, inserting: "…")),
            ("]", "[x", TextChange(deleting: 2, inserting: "☑")), ("]", "[ ", TextChange(deleting: 2, inserting: "☐")),
            (">", "", TextChange(inserting: ">")), ("ä", "x", TextChange(inserting: "ä")),
            ("backspace", "x", TextChange(deleting: 1)),
        ])
    func key(key: String, before: String, expected: TextChange) async throws {
        let keyboard = try TestExtension(of: NotesKeyboard.self)
        #expect(try await keyboard.run(KeyPress(key: key, before: before)).output == expected)
    }
}
