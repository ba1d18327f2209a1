import PluginCore

/// What the user does on a page, in words: an action by number or identifier, then its fields.
///
///     2
///     signIn name=Ada Lovelace
///
/// A field's value runs to the next ` field=` of the same action.
public struct Tap: Sendable {
    /// The words.
    public let text: String

    /// Takes the words as they are; they are read against a page.
    public init(_ text: String) {
        self.text = text
    }

    /// The action that is meant on a page, and the input for it.
    ///
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, the page's actions as nearest.
    @MainActor
    func resolve(on page: any Page) throws(AtriumError) -> (action: PageAction, input: [String: String]) {
        let text = text.drop { $0 == " " }
        let word = text.prefix { $0 != " " }
        let actions = page.actions
        let index = Int(word).flatMap { number in actions.indices.first { $0 + 1 == number } }
        guard let action = actions.first(where: { $0.identifier == word }) ?? index.map({ actions[$0] }) else {
            throw AtriumError(
                .pageActionUnknown, String(word), detail: actions.isEmpty ? "\"\(page.title)\" offers none" : "",
                nearest: actions.map(\.identifier)
            )
        }
        return (action, try input(for: action, from: text.dropFirst(word.count)))
    }

    private func input(for action: PageAction, from text: Substring) throws(AtriumError) -> [String: String] {
        var input = Dictionary(action.fields.map { ($0.name, $0.initial) }) { first, _ in first }
        var name: String?
        for word in text.split(separator: " ", omittingEmptySubsequences: false).dropFirst() {
            let equals = word.firstIndex(of: "=") ?? word.endIndex
            let candidate = String(word[..<equals])
            if equals < word.endIndex, input[candidate] != nil {
                name = candidate
                input[candidate] = String(word[word.index(after: equals)...])
            } else if let name {
                input[name, default: ""] += " " + word
            } else if !word.isEmpty {
                throw AtriumError(
                    .pageActionUnknown, self.text, detail: "\"\(word)\" is no field of \(action.identifier)",
                    nearest: action.fields.map { "\(action.identifier) \($0.name)=..." }
                )
            }
        }
        return input
    }
}
