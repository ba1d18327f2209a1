internal import NotesStorage
internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: NotesShare.self) }

/// The share extension, which adds the texts and links that other apps share as a note.
final class NotesShare: ExtensionDelegate {
    static let point = ExtensionPoints.share
    private let storage: NoteStorage

    init(environment: ExtensionEnvironment) { storage = NoteStorage(in: environment.container) }

    func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) throws {
        let lines = try context.items.flatMap(Self.lines)
        _ = try storage.add(lines.joined(separator: "\n"))
        context.completeRequest()
    }

    /// Returns the title, the text, and the attached texts and links of an item, without repetitions.
    private static func lines(of item: ExtensionItem) throws -> [String] {
        let attached = try item.attachments
            .filter { $0.types.contains { $0.conforms(to: .plainText) || $0.conforms(to: .url) } }
            .map { try $0.loadText(limit: NoteStorage.sizeLimit) }
        return ([item.title, item.text].compactMap(\.self) + attached).reduce(into: []) { lines, line in
            if !lines.contains(line) { lines.append(line) }
        }
    }
}
