internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: NotesAction.self) }

/// The action extension, which turns each line of a text into an entry of a checklist.
final class NotesAction: ExtensionDelegate {
    static let point = ExtensionPoints.action
    private static let bullets = ["- [ ] ", "- ", "* ", "• "]

    init(environment: ExtensionEnvironment) {}

    func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) throws {
        let items = try context.items.map { item in
            ExtensionItem(title: item.title, text: Self.checklist(try Self.text(of: item)))
        }
        context.completeRequest(returning: items)
    }

    /// Returns the item's text, or the first attached text.
    private static func text(of item: ExtensionItem) throws -> String {
        if let text = item.text { return text }
        guard let attachment = item.attachments.first(where: { $0.types.contains { $0.conforms(to: .plainText) } })
        else {
            throw AtriumError(
                .init("itemWithoutText"), item.title ?? "item", message: "a checklist is made from a text",
                remedy: "select a text")
        }
        return try attachment.loadText()
    }

    private static func checklist(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            let line = line.drop(while: \.isWhitespace)
            return bullets.first(where: line.hasPrefix).map { line.dropFirst($0.count) } ?? line
        }
        return lines.filter { !$0.isEmpty }.map { "- [ ] \($0)" }.joined(separator: "\n")
    }
}
