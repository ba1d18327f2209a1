import PluginCore

/// Something that the user can choose on a page: a row or an action.
struct PageChoice {
    /// The action that is performed. The initial texts of its fields are those of the row's input.
    let action: PageAction
    /// The input that the row gives to the action.
    let input: [String: String]
    /// A Boolean value that indicates whether it is a row.
    let isRow: Bool

    /// Returns the rows and actions that can be chosen, in the order in which the page shows them.
    @MainActor
    static func all(on page: any Page) -> [PageChoice] {
        let actions = page.actions
        let rows = page.content.flatMap(\.rows).compactMap { row in row.action.map { PageChoice(row, $0, actions) } }
        return rows + actions.map { PageChoice(action: $0, input: [:], isRow: false) }
    }

    private init(action: PageAction, input: [String: String], isRow: Bool) {
        self.action = action
        self.input = input
        self.isRow = isRow
    }

    private init(_ row: PageRow, _ identifier: String, _ actions: [PageAction]) {
        let fields = actions.first { $0.identifier == identifier }?.fields ?? []
        let filled = fields.map { field in
            PageField(
                field.name, label: field.label, kind: field.kind, initial: row.input[field.name] ?? field.initial)
        }
        self.init(
            action: PageAction(identifier, title: row.title, fields: filled), input: row.input, isRow: true)
    }

    /// The choice as the user can type it.
    var words: String {
        action.identifier + input.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }
}

extension [String] {
    /// The texts without repetitions, in the same order.
    var unique: [String] {
        var known: Set<String> = []
        return filter { known.insert($0).inserted }
    }
}
