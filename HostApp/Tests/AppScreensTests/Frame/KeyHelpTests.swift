import Testing

@testable import AppScreens

@Suite("The list of keys", .tags(.small))
struct KeyHelpTests {
    @Test("Each key is beside what it does, in two columns")
    func lines() {
        let expected = [
            "Pages",
            "  ↑ ↓            select an action, or scroll",
            "  Enter, 1 to 9  perform an action",
            "  Esc, ⌫         back",
            "  ← →            the tabs; with two columns, the list and the page",
            "  s              the store",
            "  o              open an address",
            "  t              the widgets of today",
            "  m              messages of plugins",
            "  q              quit",
            "",
            "Store",
            "  letters        search",
            "  arrows         select a plugin",
            "  Enter          install it, update it or open it",
            "  Tab            details: permissions, size, rollback, removal",
            "  Ctrl-U         update all plugins",
            "  Esc            clear the search, or leave the store",
            "",
            "Everywhere",
            "  F1, ?          these keys",
            "  Ctrl-C         stop the running step, or quit",
            "  Ctrl-Z         suspend",
            "  mouse          select, press, scroll",
        ]
        #expect(KeyHelp.title == "Keys")
        #expect(KeyHelp.lines == expected)
    }
}
