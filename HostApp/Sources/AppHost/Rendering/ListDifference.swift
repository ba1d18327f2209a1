import Console

/// The differences between two lists of items, each of which is known by its key.
struct ListDifference<Key: Hashable & Sendable, Item: Sendable>: Sendable {
    /// An item that differs.
    struct Entry: Sendable {
        let change: ItemChange
        /// The item, as it is in the later list if that has it.
        let item: Item
        /// The item in the earlier list if it has changed.
        let before: Item?
    }

    /// The items of the later list that are new or have changed, and then those that were removed.
    let entries: [Entry]
    private let changes: [Key: ItemChange]

    /// Compares two lists.
    ///
    /// - Parameters:
    ///   - key: identifies an item; of several items with the same key, the first counts.
    ///   - value: the part of an item that makes a change if it differs.
    init(
        from before: [Item], to after: [Item], by key: (Item) -> Key, comparing value: (Item) -> some Equatable
    ) {
        let known = Dictionary(before.map { (key($0), $0) }) { first, _ in first }
        let remaining = Set(after.map(key))
        let present = after.compactMap { item -> Entry? in
            guard let old = known[key(item)] else { return Entry(change: .added, item: item, before: nil) }
            return value(old) == value(item) ? nil : Entry(change: .changed, item: item, before: old)
        }
        let gone = before.filter { !remaining.contains(key($0)) }
        entries = present + gone.map { Entry(change: .removed, item: $0, before: nil) }
        changes = Dictionary(entries.map { (key($0.item), $0.change) }) { first, _ in first }
    }

    /// Returns the change of the item with a key; `nil` if it has not changed.
    subscript(key: Key) -> ItemChange? { changes[key] }

    /// Returns the items with one kind of change.
    func items(_ change: ItemChange) -> [Item] { entries.filter { $0.change == change }.map(\.item) }

    /// Returns the lines of a text about the differences.
    func lines(
        _ words: (Item) -> String, fields: (_ before: Item, _ after: Item) -> [ChangedField] = { _, _ in [] }
    ) -> [DifferenceLine] {
        entries.map { entry in
            DifferenceLine(
                change: entry.change, words: words(entry.item),
                fields: entry.before.map { fields($0, entry.item) } ?? [])
        }
    }
}

/// The change of an item, in the order in which texts show changes.
enum ItemChange: String, CaseIterable, Sendable {
    case removed, added, changed

    /// The sign of the change in texts and drawings, and its color.
    var mark: (sign: String, style: TextStyle) {
        switch self {
        case .removed: ("-", .red)
        case .added: ("+", .green)
        case .changed: ("~", .yellow)
        }
    }
}

/// A field of an item with its values before and after, as people read them.
struct ChangedField {
    let name: String
    let before: String
    let after: String

    var json: JSONText { ["name": .string(name), "before": .string(before), "after": .string(after)] }

    /// Returns the fields whose values differ.
    static func differing(_ fields: [(String, String, String)]) -> [ChangedField] {
        fields.filter { $0.1 != $0.2 }.map { ChangedField(name: $0.0, before: $0.1, after: $0.2) }
    }
}

/// A line of a text about differences, with the fields that differ below it.
struct DifferenceLine {
    let change: ItemChange
    let words: String
    let fields: [ChangedField]
}

extension [DifferenceLine] {
    /// Renders removed items with `-`, added ones with `+`, and changed ones with `~` and their changed fields.
    func text(for terminal: Terminal) -> String {
        ItemChange.allCases.flatMap { change in filter { $0.change == change } }.map { line in
            let (sign, style) = line.change.mark
            let fields = line.fields.map {
                "    \(printable($0.name)): \(printable($0.before)) -> \(printable($0.after))\n"
            }
            return terminal.styled("\(sign) \(printable(line.words))", style) + "\n" + fields.joined()
        }.joined()
    }
}
