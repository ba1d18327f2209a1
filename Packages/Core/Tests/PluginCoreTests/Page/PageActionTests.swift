import PluginCore
import Testing

@Suite("Actions of pages, with their code", .tags(.small))
@MainActor
struct PageActionTests {
    private final class OrderPage: Page {
        struct Order: Codable, Sendable, Equatable {
            var name = "Ada"
            var pieces = 1
            var gift = false
            var note: String?
            var floor: Int? = 2

            enum CodingKeys: String, CodingKey {
                case name, pieces, gift, note, floor = "level"
            }
        }

        let title = "Order"
        let content: [PageElement] = [.list([PageRow("Milk", action: "add", input: ["name": "milk"])])]
        var isOpen = true
        var fields: [PageField] = [
            PageField("pieces", label: "Pieces", range: 1...9), PageField("name", label: "Name", isRequired: true),
        ]
        var ordered: [Order] = []
        var added: [String] = []

        private struct Item: Codable { var name = "" }

        var actions: [PageAction] {
            if isOpen {
                PageAction("order", title: "Order", input: Order(), fields: fields) { order, _ in ordered.append(order)
                }
            }
            for number in 1...2 {
                PageAction("show-\(number)", title: "Show") { $0.show(notice: "\(number)") }
            }
        }
        var rowActions: [PageAction] {
            PageAction("add", title: "Add", input: Item()) { item, _ in added.append(item.name) }
        }
    }

    private final class Notices: Navigator {
        let pages: [any Page] = []
        var notices: [String] = []
        func push(_ page: any Page) {}
        func pop() {}
        func present(_ page: any Page) async -> (any Sendable)? { nil }
        func dismiss(returning value: (any Sendable)?) {}
        func show(notice: String) { notices.append(notice) }
    }

    private let page = OrderPage()
    private let navigator = Notices()

    @Test("A host sees descriptions: fields in the declared order, and properties without one after them")
    func descriptions() throws {
        let order = try #require(page.actions.first).description
        #expect(
            order.fields == [
                PageField("pieces", label: "Pieces", initial: "1", range: 1...9),
                PageField("name", label: "Name", initial: "Ada", isRequired: true),
                PageField("gift", label: "gift", kind: .toggle, initial: "false"),
                PageField("level", label: "level", initial: "2"),
            ])
        #expect(order.problem == nil && page.actions.map(\.identifier) == ["order", "show-1", "show-2"])
        page.isOpen = false
        #expect(page.actions.map(\.identifier) == ["show-1", "show-2"])
        #expect(try CodedValue(order).value(as: PageAction.Description.self) == order)
    }

    @Test("The code gets the entered values in their types, and the initial ones for the rest")
    func input() async throws {
        try await page.perform("order", input: ["pieces": "3", "gift": "yes", "note": ""], on: navigator)
        try await page.perform("order", input: ["note": "soon"], on: navigator)
        #expect(page.ordered == [.init(pieces: 3, gift: true), .init(note: "soon")])
        try await page.perform("order", input: ["level": ""], on: navigator)
        #expect(page.ordered.last == .init(floor: nil))
        page.fields = [.choice("name", label: "Name", of: [PageOption("Bo"), PageOption("Cy")])]
        try await page.perform("order", input: [:], on: navigator)
        #expect(page.ordered.last?.name == "Bo")
        try await page.perform("show-2", input: [:], on: navigator)
        #expect(navigator.notices == ["2"])
    }

    @Test("A row performs an action that the page does not list, with its input")
    func row() async throws {
        let row = try #require(page.content.flatMap(\.rows).first)
        try await page.perform(row.action ?? "", input: row.input, on: navigator)
        #expect(page.added == ["milk"])
    }

    @Test(
        "What a field does not accept does not reach the code",
        arguments: [
            (["pieces": "10"], "numberOutOfRange(field: pieces, from: 1, to: 9)"),
            (["pieces": "x"], "numberOutOfRange(field: pieces, from: 1, to: 9)"),
            (["name": " "], "valueRequired(field: name)"),
        ])
    func refusals(input: [String: String], reason: String) async {
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("order", input: input, on: navigator)
        }
        #expect(error?.code == .fieldInvalid && error?.reason?.description == reason)
        #expect(page.ordered.isEmpty)
    }

    @Test("A field's own message is the reason, and a text that is no value of its property is an error of that field")
    func messages() async {
        page.fields = [PageField("name", label: "Name", isRequired: true, message: "Who is it for?")]
        let unnamed = await #expect(throws: AtriumError.self) {
            try await page.perform("order", input: ["name": ""], on: navigator)
        }
        #expect(unnamed?.reason == .verbatim("Who is it for?"))
        let mistyped = await #expect(throws: AtriumError.self) {
            try await page.perform("order", input: ["pieces": "many"], on: navigator)
        }
        #expect(mistyped?.code == .parameterType && mistyped?.subject == "pieces")
        page.fields = [PageField("pieces", label: "Pieces", range: 1...9, message: "Up to nine.")]
        for text in ["10", "1.5", ""] {
            let told = await #expect(throws: AtriumError.self) {
                try await page.perform("order", input: ["pieces": text], on: navigator)
            }
            #expect(told?.code == .fieldInvalid && told?.subject == text && told?.reason == .verbatim("Up to nine."))
        }
    }

    @Test("An unknown action is an error that suggests rows and actions; a stray field is a problem for tools")
    func unknown() async {
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("odrer", input: [:], on: navigator)
        }
        #expect(error?.code == .pageActionUnknown && error?.nearest == ["add", "order", "show-1", "show-2"])
        page.fields = [PageField("nmae", label: "Name"), PageField("note", label: "Note")]
        #expect(page.actions.first?.description.problem == "its input has no property: nmae")
        page.fields = [PageField("name", label: "Name"), PageField("name", label: "Name")]
        #expect(page.actions.first?.description.problem == "several of its fields are named: name")
        struct Tags: Codable { var tags = ["a"] }
        let action = PageAction("tag", title: "Tag", input: Tags()) { _, _ in }
        #expect(action.description.problem == "its input has a list, which no field can contain: tags")
    }
}
