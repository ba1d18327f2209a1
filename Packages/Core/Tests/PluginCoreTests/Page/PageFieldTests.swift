import PluginCore
import Testing

@Suite("Fields of page actions", .tags(.small))
struct PageFieldTests {
    private let action = PageAction.Description(
        "order", title: "Order",
        fields: [
            PageField("name", label: "Name", initial: "Ada"), .toggle("gift", label: "As a gift"),
            .choice("size", label: "Size", of: [PageOption("s", title: "Small"), PageOption("l")]),
        ])

    @Test("A page gets the value of each field, which is the initial one if nothing was entered")
    func initials() throws {
        #expect(try action.input(from: [:]) == ["name": "Ada", "gift": "false", "size": "s"])
        #expect(
            try action.input(from: ["name": "", "gift": "true", "size": "l", "row": "7"])
                == ["name": "", "gift": "true", "size": "l", "row": "7"])
    }

    @Test(
        "A toggle can be entered in words, and the page gets true or false",
        arguments: [
            ("true", "true"), ("Yes", "true"), ("on", "true"), ("FALSE", "false"), ("no", "false"), ("off", "false"),
        ])
    func toggle(text: String, expected: String) throws {
        #expect(try action.input(from: ["gift": text])["gift"] == expected)
    }

    @Test(
        "A value that a field does not accept is an error that lists the values",
        arguments: [
            ("gift", "maybe", "true, false"), ("gift", "", "true, false"), ("size", "x", "s, l"), ("size", "S", "s, l"),
        ])
    func invalid(field: String, text: String, choices: String) {
        let error = #expect(throws: AtriumError.self) { try action.input(from: [field: text]) }
        #expect(error?.code == .fieldInvalid && error?.subject == text)
        #expect(error?.reason?.description == "choiceUnknown(choices: \(choices), field: \(field))")
    }
}
