internal import NotesStorage
internal import PluginCore

/// The page of a note, which can be deleted there.
final class NotePage: Page {
    private let bundle: NotesBundle
    private let note: Note

    init(_ bundle: NotesBundle, _ note: Note) {
        self.bundle = bundle
        self.note = note
    }

    var title: String { bundle.strings.string("note.title", note.number) }

    var content: [PageElement] { note.text.split(whereSeparator: \.isNewline).map { .text(String($0)) } }

    var actions: [PageAction] {
        PageAction("delete", title: bundle.strings.string("note.delete")) { navigator in
            try bundle.storage.remove(note.number)
            navigator.show(notice: bundle.strings.string("note.deleted", note.number))
            navigator.pop()
        }
    }
}
