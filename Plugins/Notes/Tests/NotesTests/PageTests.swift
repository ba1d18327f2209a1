import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@testable import Notes

@Suite("The pages of the notes plugin", .tags(.medium))
@MainActor
struct PageTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    @Test("An empty list says so in the user's language")
    func empty() async throws {
        #expect(try await Bench(language: "zh-Hans").page("app://notes").content == [.text("还没有笔记。")])
    }

    @Test("The list shows the newest note first, by the first line of its text")
    func list() async throws {
        try await bench.write("Milk")
        try await bench.write("Lamp\nfor the desk")
        let page = try await bench.page("app://notes")
        let rows = [
            PageRow("2 · Lamp", opens: try ResourceURI("app://notes/2")),
            PageRow("1 · Milk", opens: try ResourceURI("app://notes/1")),
        ]
        #expect(page.content == [.list(rows)])
        #expect(page.actions.map(\.identifier) == ["add"])
        #expect(try await bench.page("app://notes/2").content == [.text("Lamp"), .text("for the desk")])
    }

    @Test(
        "A note without a text and one that is too long are rejected",
        arguments: ["", " \n", String(repeating: "x", count: 1 << 16 + 1)])
    func invalid(text: String) async throws {
        let error = await #expect(throws: AtriumError.self) { try await bench.write(text) }
        #expect(error?.code.name == "noteInvalid")
        #expect(try await bench.page("app://notes").content == [.text("There are no notes yet.")])
    }

    @Test("Deleting a note removes it from the list and leaves its page")
    func delete() async throws {
        try await bench.write("Milk")
        let list = try await bench.page("app://notes")
        let navigator = FakeNavigator(showing: list)
        let note = try await bench.page("app://notes/1")
        navigator.push(note)
        try await note.perform("delete", input: [:], on: navigator)
        #expect(navigator.top === list && navigator.notices == ["Note 1 is deleted."])
        #expect(list.content == [.text("There are no notes yet.")])
        let error = await #expect(throws: AtriumError.self) { try await bench.page("app://notes/1") }
        #expect(error?.code == .resourceUnknown)
    }

    @Test("Every page rejects an unknown action", arguments: ["app://notes", "app://notes/1"])
    func unknownAction(address: String) async throws {
        try await bench.write("Milk")
        let page = try await bench.page(address)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("remove", input: [:], on: FakeNavigator(showing: page))
        }
        #expect(error?.code == .pageActionUnknown && error?.nearest.last == page.actions.last?.identifier)
    }

    @Test("Notes that cannot be read are logged, and the page says so")
    func unreadable() async throws {
        try await bench.write("Milk")
        let file = bench.host.context.container.documents.appending("Notes/1.txt").string
        try Data([0xFF, 0xFE, 0xFF]).write(to: URL(filePath: file))
        #expect(try await bench.page("app://notes").content == [.text("The notes cannot be read.")])
        #expect(bench.host.log.messages(.error).isEmpty == false)
    }
}
