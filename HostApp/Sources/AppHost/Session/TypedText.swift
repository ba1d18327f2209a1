import ExtensionHost
import PluginCore

/// A text field in which the user types with the keyboard of an extension.
///
/// Each character is one key press, which the extension turns into a change of the text.
struct TypedText {
    /// The text before the insertion point, which is always at the end.
    private(set) var text = ""

    /// Applies a change of a keyboard, which can delete at most what is there.
    mutating func apply(_ change: TextChange) {
        text.removeLast(min(max(0, change.deleted), text.count))
        text += change.inserted
    }

    /// Types a text, one key after the other.
    ///
    /// - Throws: The errors of running the extension.
    mutating func type(_ keys: String, with keyboard: BundleIdentifier, of extensions: ExtensionManager) async throws {
        for key in keys {
            let press = KeyPress(key: String(key), before: text)
            apply(try await extensions.run(keyboard, at: ExtensionPoints.keyboard, press).output)
        }
    }
}
