import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import NotesShare

@Suite("Sharing into the notes", .tags(.medium))
@MainActor
struct NotesShareTests {
    private let container: TestContainer

    init() throws { container = try TestContainer() }

    /// An item as the shop shares it.
    private static let lamp = ExtensionItem(
        title: "Desk lamp", attachments: [ItemAttachment(url: "app://shop/item/42")])

    @Test("A shared item becomes a note that the plugin shows")
    func shared() async throws {
        let bench = try Bench(container: container)
        try await bench.write("Milk")
        let share = try TestExtension(of: NotesShare.self, container: container)
        #expect(try await share.run(NoValue(), items: [Self.lamp]).items.isEmpty)
        let page = try await bench.page("app://notes")
        #expect(page.content.flatMap(\.rows).map(\.title) == ["2 · Desk lamp", "1 · Milk"])
        #expect(try await bench.page("app://notes/2").content == [.text("Desk lamp"), .text("app://shop/item/42")])
    }

    @Test("Several items become one note, in which no line is repeated")
    func several() async throws {
        let share = try TestExtension(of: NotesShare.self, container: container)
        let picture = ItemAttachment(types: [.png], content: .bytes([1, 2, 3]))
        let text = ItemAttachment(text: "for the desk")
        _ = try await share.run(
            NoValue(), items: [Self.lamp, ExtensionItem(text: "for the desk", attachments: [picture, text])])
        let page = try await Bench(container: container).page("app://notes/1")
        #expect(page.content == [.text("Desk lamp"), .text("app://shop/item/42"), .text("for the desk")])
    }

    @Test(
        "A request without a text, and one with a text that is too long or not UTF-8, is canceled and adds nothing",
        arguments: [
            [], [ItemAttachment(types: [.png], content: .bytes([1]))], [ItemAttachment(text: " ")],
            [ItemAttachment(text: String(repeating: "x", count: 1 << 17))],
            [ItemAttachment(types: [.plainText], content: .bytes([0xFF]))],
        ])
    func refused(attachments: [ItemAttachment]) async throws {
        let share = try TestExtension(of: NotesShare.self, container: container)
        await #expect(throws: AtriumError.self) {
            try await share.run(NoValue(), items: [ExtensionItem(attachments: attachments)])
        }
        let page = try await Bench(container: container).page("app://notes")
        #expect(page.content == [.text("There are no notes yet.")])
    }
}
