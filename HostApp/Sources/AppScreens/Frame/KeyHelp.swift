/// The keys that the help lists.
enum KeyHelp {
    static let title = "Keys"

    static let lines = [
        "Pages",
        "  ↑ ↓            select an action, or scroll",
        "  Enter, 1 to 9  perform an action",
        "  Esc, ⌫         back",
        "  ← →            the tabs; with two columns, the list and the page",
        "  s              the store",
        "  o              open an address",
        "  t              the widgets of today",
        "  d              the deferred addresses",
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
}
