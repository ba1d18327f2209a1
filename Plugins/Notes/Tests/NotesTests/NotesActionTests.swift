import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import NotesAction

@Suite("Turning a text into a checklist", .tags(.medium))
@MainActor
struct NotesActionTests {
    @Test(
        "Each line becomes an entry once",
        arguments: [
            ("Milk\nBread", "- [ ] Milk\n- [ ] Bread"),
            ("- Milk\n\n  * Bread\r\n• Tea", "- [ ] Milk\n- [ ] Bread\n- [ ] Tea"),
            ("- [ ] Milk", "- [ ] Milk"), ("", ""),
        ])
    func checklist(text: String, expected: String) async throws {
        let action = try TestExtension(of: NotesAction.self)
        let result = try await action.run(NoValue(), items: [ExtensionItem(title: "Shopping", text: text)])
        #expect(result.items.map(\.title) == ["Shopping"])
        #expect(result.items.map(\.text) == [expected])
    }

    @Test("An attached text is used if the item has no text of its own")
    func attached() async throws {
        let item = ExtensionItem(attachments: [ItemAttachment(text: "Milk")])
        let result = try await TestExtension(of: NotesAction.self).run(NoValue(), items: [item])
        #expect(result.items.map(\.text) == ["- [ ] Milk"])
    }

    @Test("An item without a text cancels the request")
    func refused() async throws {
        let error = await #expect(throws: AtriumError.self) {
            try await TestExtension(of: NotesAction.self).run(
                NoValue(), items: [ExtensionItem(title: "Lamp", attachments: [ItemAttachment(url: "app://shop")])])
        }
        #expect(error?.code.name == "itemWithoutText" && error?.subject == "Lamp")
    }
}
