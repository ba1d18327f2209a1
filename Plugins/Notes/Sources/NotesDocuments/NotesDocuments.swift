internal import NotesStorage
internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: NotesDocuments.self) }

/// The document provider, which gives each note to other apps as a text file.
final class NotesDocuments: ExtensionDelegate {
    static let point = ExtensionPoints.documentProvider
    private let storage: NoteStorage

    init(environment: ExtensionEnvironment) { storage = NoteStorage(in: environment.container) }

    func beginRequest(_ input: DocumentRequest, in context: ExtensionContext<DocumentReply>) throws {
        switch input {
        case .list(let folder):
            guard folder.isEmpty else { throw AtriumError(.resourceUnknown, folder) }
            let entries = try storage.notes().map {
                DocumentEntry(identifier: "\($0.number)", name: "\($0.title).txt", size: $0.text.utf8.count)
            }
            try context.completeRequest(returning: .list(entries))
        case .fetch(let document):
            guard let number = Int(document), try storage.note(number) != nil else {
                throw AtriumError(.resourceUnknown, document)
            }
            let file = try ItemAttachment(opening: storage.file(number), as: [.plainText])
            try context.completeRequest(returning: .fetched, items: [ExtensionItem(attachments: [file])])
        @unknown default: throw AtriumError(.resourceUnknown, "document")
        }
    }
}
