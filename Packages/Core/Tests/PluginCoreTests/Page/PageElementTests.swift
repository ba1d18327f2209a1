import PluginCore
import Testing

@Suite("Elements of pages", .tags(.small))
struct PageElementTests {
    private static let image = PageImage(png: [0x89, 0x50, 0xFF], text: "A lamp", scale: 2)

    @Test(
        "An element that was encoded is decoded as it was",
        arguments: [
            .heading("H"), .text("T"), .field(label: "L", value: "V"), .divider, .image(image),
            .progress(label: "P", fraction: 0.25), .progress(label: "P", fraction: nil),
            .list([PageRow("a"), PageRow("b", detail: "c", image: image, action: "open", input: ["id": "42"])]),
            .section(title: "S", [.text("in it"), .section(title: "", [.divider])]), .unknown(kind: "video"),
        ] as [PageElement])
    func coding(element: PageElement) throws {
        #expect(try CodedValue(element).value(as: PageElement.self) == element)
    }

    @Test("A kind that this Core does not know is decoded as unknown, and the elements around it remain")
    func unknownKind() throws {
        let json = #"[{"kind":"text","text":"a"},{"kind":"map","text":"b","zoom":[1]},{"kind":"divider"}]"#
        let elements = try CodedValue(json: Array(json.utf8)).value(as: [PageElement].self)
        #expect(elements == [.text("a"), .unknown(kind: "map"), .divider])
    }

    @Test("A row that only shows something is encoded as by Core before rows had actions")
    func plainRow() throws {
        #expect(try CodedValue(PageRow("a", detail: "b")).description == #"{"detail":"b","title":"a"}"#)
        let old = #"{"kind":"list","rows":[{"detail":"","title":"a"}]}"#
        #expect(try CodedValue(PageElement.list([PageRow("a")])).description == old)
    }

    @Test(
        "Progress is encoded as the nearest fraction from 0 to 1, and as unknown if it is not a number",
        arguments: [
            (-0.5, 0), (1.5, 1), (.infinity, 1), (-.infinity, 0), (.nan, nil), (0.5, 0.5),
        ] as [(Double, Double?)])
    func progress(fraction: Double, expected: Double?) throws {
        let decoded = try CodedValue(PageElement.progress(label: "P", fraction: fraction)).value(as: PageElement.self)
        #expect(decoded == .progress(label: "P", fraction: expected))
    }

    @Test("An image that is not in Base64 is an error")
    func damagedImage() {
        let json = #"{"kind":"image","image":{"png":"?","text":"","scale":1}}"#
        #expect(throws: AtriumError.self) { try CodedValue(json: Array(json.utf8)).value(as: PageElement.self) }
    }

    @Test("The rows of a page include those in sections, from top to bottom")
    func rows() {
        let content: [PageElement] = [
            .list([PageRow("1")]),
            .section(title: "S", [.list([PageRow("2")]), .section(title: "", [.list([PageRow("3")])])]),
            .list([PageRow("4")]),
        ]
        #expect(content.flatMap(\.rows).map(\.title) == ["1", "2", "3", "4"])
    }
}
