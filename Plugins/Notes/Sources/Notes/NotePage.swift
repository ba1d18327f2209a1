internal import NotesStorage
internal import PluginCore

/// The page of a note, which can be deleted there.
final class NotePage: Page {
    private let bundle: NotesBundle
    private let note: Note

    init(_ bundle: NotesBundle, _ note: Note) { (self.bundle, self.note) = (bundle, note) }

    var title: String { bundle.texts.noteTitle(note.number) }

    var content: [PageElement] { note.text.split(whereSeparator: \.isNewline).map { .text(String($0)) } }

    var actions: [PageAction] {
        PageAction("delete", title: bundle.texts.noteDelete) { navigator in
            try bundle.storage.remove(note.number)
            navigator.show(notice: bundle.texts.noteDeleted(note.number))
            navigator.pop()
        }
    }
}
