import Console
import PluginCore

/// An action of a page as the user types it.
///
/// It is the number or the identifier of the action, followed by its fields. For a row that can be chosen, it is the row's number, or its
/// action with the input by which it differs from other rows:
///
///     2
///     signIn name=Ada Lovelace
///     signIn name="Ada = Lovelace"
///     open id=42
///
/// The value of a field extends to the next ` field=` of the same action; a quoted value is taken as it is.
public struct Tap: Sendable {
    /// The typed text.
    public let text: String

    /// Creates a tap from a text, which is parsed when the page is known.
    public init(_ text: String) {
        self.text = text
    }

    /// Finds the action on a page and parses the input for it.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, suggesting the page's actions, and `fieldInvalid` for a value that a field
    ///   doesn't accept; `UsageError` for an unterminated quotation mark.
    @MainActor
    func resolve(on page: any Page) throws -> (action: PageAction.Description, input: [String: String]) {
        let text = text.drop { $0 == " " }
        let word = text.prefix { $0 != " " }
        let choices = PageChoice.all(on: page)
        let rest = text.dropFirst(word.count)
        let index = Int(word).flatMap { number in choices.indices.first { $0 + 1 == number } }
        if let action = choices.first(where: { !$0.isRow && $0.action.identifier == word })?.action {
            return (action, try action.input(from: try input(for: action, from: rest)))
        }
        let rows = choices.filter { $0.isRow && $0.action.identifier == word }
        if !rows.isEmpty { return try resolve(rest, among: rows) }
        guard let choice = index.map({ choices[$0] }) else {
            let identifiers = choices.map(\.action.identifier).unique
            throw AtriumError(
                .pageActionUnknown, String(word),
                reason: choices.isEmpty ? ErrorReason("noActions", ["page": .text(page.title)]) : nil,
                nearest: identifiers
            )
        }
        let fields = try input(for: choice.action, from: rest)
        return (choice.action, try choice.action.input(from: choice.input.merging(fields) { $1 }))
    }

    /// Returns the fields of the action that the text names without any input.
    @MainActor
    func fields(on page: any Page) -> [PageField] {
        let words = text.split(separator: " ")
        let choices = PageChoice.all(on: page)
        guard words.count == 1, let word = words.first else { return [] }
        let named = choices.filter { $0.action.identifier == word }
        if !named.isEmpty { return named.first { !$0.isRow }?.action.fields ?? [] }
        return Int(word).flatMap { number in zip(1..., choices).first { $0.0 == number }?.1.action.fields } ?? []
    }

    /// Finds the row that has the typed input.
    private func resolve(
        _ text: Substring, among rows: [PageChoice]
    ) throws -> (action: PageAction.Description, input: [String: String]) {
        let typed = try FieldValues(text) { name in rows.contains { $0.input[name] != nil } }
        let values = Dictionary(typed.values.map { ($0.name, $0.value) }) { $1 }
        let matching = rows.filter { row in values.allSatisfy { row.input[$0.key] == $0.value } }
        guard typed.others.isEmpty, let row = matching.first, matching.allSatisfy({ $0.input == row.input }) else {
            throw AtriumError(
                .pageActionUnknown, self.text, reason: matching.isEmpty ? nil : ErrorReason("rowAmbiguous"),
                nearest: rows.map(\.words).unique)
        }
        return (row.action, try row.action.input(from: row.input))
    }

    private func input(for action: PageAction.Description, from text: Substring) throws -> [String: String] {
        var input = Dictionary(action.fields.map { ($0.name, $0.initial) }) { first, _ in first }
        let fields = try FieldValues(text) { input[$0] != nil }
        if let stray = fields.others.first {
            throw AtriumError(
                .pageActionUnknown, self.text, reason: "fieldOfNoAction",
                ["field": .text(stray), "action": .text(action.identifier)],
                nearest: action.fields.map { "\(action.identifier) \($0.name)=..." }
            )
        }
        for (name, value) in fields.values { input[name] = value }
        return input
    }
}

extension PageField {
    /// The question for the value, with the values that the field accepts and the one that it has if the user enters nothing.
    var question: String {
        let choice =
            (values?.joined(separator: ", ") ?? bounds.map { "\($0.lower)–\($0.upper)" }).map { " (\($0))" } ?? ""
        return label + choice + (initial.isEmpty ? "" : " [\(initial)]") + ": "
    }

    /// Returns a value as a user types it after the action.
    func typed(_ value: String) -> String {
        "\(name)=\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

/// The names and values in a line that a user types, each of the form `NAME=VALUE`.
///
///     name=Ada Lovelace age=36
///     name="a = b" note="she said \"hello\""
///
/// A value extends to the next ` NAME=`. A value that starts with a quotation mark extends to the next quotation mark instead;
/// inside it, `\"` is a quotation mark and `\\` a backslash. Elsewhere, quotation marks and backslashes have no special meaning.
struct FieldValues {
    /// The names and values in the order of the line.
    private(set) var values: [(name: String, value: String)] = []
    /// The words that are not part of a value.
    private(set) var others: [String] = []

    /// Parses the text after an action's name.
    ///
    /// - Parameters:
    ///   - text: the text, which is empty or starts with a space.
    ///   - isName: returns whether a word before a `=` starts a new value; otherwise it belongs to the previous value.
    /// - Throws: `UsageError` with code `invalidValue` for an unterminated quotation mark.
    init(_ text: Substring, isName: (String) -> Bool) throws(UsageError) {
        let words = try LineWord.split(text.dropFirst()) { word in
            word.firstIndex(of: "=").flatMap { isName(String(word[..<$0])) ? word[...$0] : nil }
        }
        var isOpen = false
        for word in words {
            if let label = word.label {
                values.append((String(label.dropLast()), word.value))
                isOpen = !word.isQuoted
            } else if isOpen {
                // All spaces are part of the value.
                values[values.count - 1].value += " " + word.value
            } else if !word.value.isEmpty {
                others.append(word.value)
            }
        }
    }
}

/// A word of a line, whose value can be quoted.
private struct LineWord {
    /// The part before the value, such as `name=`; `nil` for a word that cannot have a quoted value.
    let label: Substring?
    /// The value without quotation marks.
    let value: String
    let isQuoted: Bool

    /// Splits a text at each space outside of quoted values, so that several spaces have empty words between them.
    ///
    /// - Parameter label: returns the part of a word before its value.
    /// - Throws: `UsageError` with code `invalidValue` for an unterminated quotation mark.
    static func split(
        _ text: Substring, label: (Substring) -> Substring?
    ) throws(UsageError) -> [LineWord] {
        var (words, rest): ([LineWord], Substring) = ([], text)
        while true {
            let word = rest.prefix { $0 != " " }
            let label = label(word)
            let value = rest[(label ?? word).endIndex...]
            var end = word.endIndex
            if let label, value.first == "\"" {
                let quoted = try quoted(value, after: label)
                words.append(LineWord(label: label, value: quoted.text, isQuoted: true))
                end = quoted.end
            } else {
                let plain = label.map { word[$0.endIndex...] } ?? word
                words.append(LineWord(label: label, value: String(plain), isQuoted: false))
            }
            if end == rest.endIndex { return words }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// Returns the text between the quotation marks at the start of another text, and the end of the word.
    private static func quoted(
        _ value: Substring, after label: Substring
    ) throws(UsageError) -> (text: String, end: String.Index) {
        guard let match = value.prefixMatch(of: #/"((?:[^"\\]|\\.)*)"(?= |\z)/#.dotMatchesNewlines()) else {
            throw UsageError(
                .invalidValue, subject: label.isEmpty ? localized("a word") : String(label.dropLast()),
                expected: [localized(#"\#(label)"...", with \" for a quotation mark in it"#)],
                command: ["hostapp", "shell"], value: String(value))
        }
        return (match.1.replacing(#/\\(["\\])/#) { $0.1 }.description, match.range.upperBound)
    }
}

extension String {
    /// Splits a line at spaces; quoted words such as `"one word"` and `--name="one word"` can contain spaces.
    ///
    /// - Throws: `UsageError` with code `invalidValue` for an unterminated quotation mark.
    func lineWords() throws(UsageError) -> [String] {
        // A value starts after the name of an option, or else at the start of the word.
        let words = try LineWord.split(self[...]) { word in
            word.first == "-" ? word.firstIndex(of: "=").map { word[...$0] } ?? word : word.prefix(0)
        }
        return words.filter { $0.isQuoted || $0.label != "" || !$0.value.isEmpty }.map { ($0.label ?? "") + $0.value }
    }
}

/// Something that the user can choose on a page: a row or an action.
struct PageChoice {
    /// The action that is performed. The initial texts of its fields are those of the row's input.
    let action: PageAction.Description
    /// The input that the row gives to the action.
    let input: [String: String]
    /// A Boolean value that indicates whether it is a row.
    let isRow: Bool

    /// Returns the rows and actions that can be chosen, in the order in which the page shows them.
    @MainActor
    static func all(on page: any Page) -> [PageChoice] {
        let actions = page.actions.map(\.description)
        let rows = page.content.flatMap(\.rows).compactMap { row in
            row.action.map { identifier in
                let fields = (actions.first { $0.identifier == identifier }?.fields ?? []).map {
                    $0.starting(with: row.input[$0.name])
                }
                let action = PageAction.Description(identifier, title: row.title, fields: fields)
                return PageChoice(action: action, input: row.input, isRow: true)
            }
        }
        return rows + actions.map { PageChoice(action: $0, input: [:], isRow: false) }
    }

    /// The choice as the user can type it.
    var words: String { action.identifier + input.words }
}

extension [String: String] {
    /// The input of an action as the user types it after the action.
    var words: String { sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined() }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in the same order.
    var unique: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
