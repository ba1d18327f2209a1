internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: NotesKeyboard.self) }

/// The keyboard, which replaces sequences of keys by the character that they look like.
final class NotesKeyboard: ExtensionDelegate {
    static let point = ExtensionPoints.keyboard
    private static let characters = ["->": "→", "<-": "←", "--": "—", "...": "…", "[ ]": "☐", "[x]": "☑"]

    init(environment: ExtensionEnvironment) {}

    func beginRequest(_ input: KeyPress, in context: ExtensionContext<TextChange>) throws {
        try context.completeRequest(returning: Self.change(for: input))
    }

    private static func change(for press: KeyPress) -> TextChange {
        if press.key == "backspace" { return TextChange(deleting: 1) }
        let text = press.before + press.key
        for (keys, character) in characters where text.hasSuffix(keys) {
            return TextChange(deleting: keys.count - press.key.count, inserting: character)
        }
        return TextChange(inserting: press.key)
    }
}
