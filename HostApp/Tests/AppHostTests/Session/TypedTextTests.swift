import PluginCore
import Testing

@testable import AppHost

@Suite("Text that is typed with a keyboard", .tags(.small))
struct TypedTextTests {
    @Test("A keyboard deletes at most the text before the insertion point, and nothing for a negative number")
    func apply() {
        var field = TypedText()
        field.apply(TextChange(inserting: "Shop -"))
        field.apply(TextChange(deleting: 1, inserting: "→"))
        #expect(field.text == "Shop →")
        field.apply(TextChange(deleting: -3, inserting: "!"))
        #expect(field.text == "Shop →!")
        field.apply(TextChange(deleting: .max))
        #expect(field.text == "")
    }
}
