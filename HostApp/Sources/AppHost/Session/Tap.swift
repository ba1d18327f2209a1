import Console
import PluginCore

/// An action of a page as the user types it.
///
/// It is the number or the identifier of the action, followed by its fields:
///
///     2
///     signIn name=Ada Lovelace
///     signIn name="Ada = Lovelace"
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
    /// - Throws: ``AtriumError`` with code `pageActionUnknown`, suggesting the page's actions; `UsageError` for an unterminated
    ///   quotation mark.
    @MainActor
    func resolve(on page: any Page) throws -> (action: PageAction, input: [String: String]) {
        let text = text.drop { $0 == " " }
        let word = text.prefix { $0 != " " }
        let actions = page.actions
        let index = Int(word).flatMap { number in actions.indices.first { $0 + 1 == number } }
        guard let action = actions.first(where: { $0.identifier == word }) ?? index.map({ actions[$0] }) else {
            throw AtriumError(
                .pageActionUnknown, String(word), detail: actions.isEmpty ? "\"\(page.title)\" has no actions" : "",
                nearest: actions.map(\.identifier)
            )
        }
        return (action, try input(for: action, from: text.dropFirst(word.count)))
    }

    private func input(for action: PageAction, from text: Substring) throws -> [String: String] {
        var input = Dictionary(action.fields.map { ($0.name, $0.initial) }) { first, _ in first }
        let fields = try FieldValues(text) { input[$0] != nil }
        if let stray = fields.stray {
            throw AtriumError(
                .pageActionUnknown, self.text, detail: "\"\(stray)\" is not a field of \(action.identifier)",
                nearest: action.fields.map { "\(action.identifier) \($0.name)=..." }
            )
        }
        for (name, value) in fields.values { input[name] = value }
        return input
    }
}
