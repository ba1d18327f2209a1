internal import NotesInterface
internal import NotesStorage
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(NotesBundle.self) }

/// The notes plugin, which shows the notes that it shares with its extensions.
final class NotesBundle: BundleDelegate {
    let context: BundleContext
    let storage: NoteStorage

    init(context: BundleContext) {
        self.context = context
        storage = NoteStorage(in: context.container)
    }

    static var routes: some RouteSet<NotesBundle> {
        Route(NotesRoutes.list) { notes in ListPage(notes) }
        Route(NotesRoutes.note) { notes, number, request in
            guard let note = try notes.storage.note(number) else {
                throw AtriumError(.resourceUnknown, request.uri.text)
            }
            return NotePage(notes, note)
        }
    }

    /// The texts in the user's language.
    var texts: Texts { context.texts }
}
