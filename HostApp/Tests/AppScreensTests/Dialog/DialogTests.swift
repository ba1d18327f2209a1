import PluginCore
import Testing

@testable import AppScreens

@Suite("Dialogs", .tags(.small))
struct DialogTests {
    private let action = PageAction.Description(
        "signIn", title: "Sign in",
        fields: [PageField("name", label: "Name"), PageField("age", label: "Age", initial: "3")])

    @Test("A form passes on the values of all its fields")
    func form() {
        var dialog = Dialog.form(PageItem(action: action, input: [:]))
        for letter in "Åda" { #expect(dialog.handle(.character(letter)) == .open) }
        #expect(dialog.handle(.enter) == .open)
        #expect(dialog.handle(.character("6")) == .open)
        #expect(dialog.handle(.enter) == .closed(.perform(action: "signIn", input: ["name": "Åda", "age": "36"])))
    }

    @Test("Toggles and choices change with the space bar and the arrow keys, and start with the input of a row")
    func choices() {
        let sizes = [PageOption("s", title: "Small"), PageOption("l", title: "Large")]
        let fields: [PageField] = [.toggle("gift", label: "Gift"), .choice("size", label: "Size", of: sizes)]
        let action = PageAction.Description("order", title: "Order", fields: fields)
        var dialog = Dialog.form(PageItem(action: action, input: ["id": "7", "size": "l"]))
        for key in [Key.character(" "), .down, .right, .left] { _ = dialog.handle(key) }
        var canvas = Canvas(columns: 40, rows: 10)
        dialog.draw(on: &canvas, in: canvas.bounds, ScreenStyles())
        #expect(canvas.lines.contains { $0.contains("Gift  [x]") })
        #expect(canvas.lines.contains { $0.contains("Size  ‹ Large ›") })
        let input = ["id": "7", "gift": "true", "size": "l"]
        #expect(dialog.handle(.enter) == .closed(.perform(action: "order", input: input)))
    }

    @Test("A form that is left performs nothing")
    func leaves() {
        var dialog = Dialog.form(PageItem(action: action, input: [:]))
        #expect(dialog.handle(.escape) == .closed(nil))
        _ = dialog.handle(.backTab)
        #expect(dialog.handle(.enter) == .closed(nil))
    }

    @Test("Every way out of a question but yes is no")
    func question() {
        for (keys, answer) in [
            ([Key.enter], true), ([.character("y")], true), ([.character("n")], false), ([.escape], false),
            ([.right, .enter], false),
        ] {
            var dialog = Dialog.question("Install", ["Install it?"])
            var outcome = Dialog.Outcome.open
            for key in keys { outcome = dialog.handle(key) }
            #expect(outcome == .closed(.answer(answer)))
        }
    }

    @Test("The cursor of a text moves by whole characters, also over combining ones")
    func cursor() {
        var input = TextInput("ae\u{301}日")
        #expect(input.cursor == 3)
        for key in [Key.left, .left, .character("x"), .end, .backspace] { input.handle(key) }
        #expect(input.text == "axe\u{301}")
        input.handle(.character("\u{302}"))
        #expect(input.cursor == 3)
        input.handle(.control("u"))
        #expect(input.text.isEmpty)
    }

    @Test("A long text shows its part around the cursor")
    func window() {
        var canvas = Canvas(columns: 5, rows: 1)
        TextInput("日本語で話す").draw(on: &canvas, in: Rectangle(columns: 5, rows: 1))
        #expect(canvas.lines == ["話す"])
        #expect(canvas.cursor?.column == 4)
    }
}
