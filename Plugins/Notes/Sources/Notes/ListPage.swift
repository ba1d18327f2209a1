internal import NotesInterface
internal import NotesStorage
internal import PluginCore

/// The page with all notes, newest first.
final class ListPage: Page {
    private let bundle: NotesBundle

    init(_ bundle: NotesBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("list.title") }

    var content: [PageElement] {
        guard let notes else { return [.text(bundle.strings.string("list.unreadable"))] }
        guard !notes.isEmpty else { return [.text(bundle.strings.string("list.empty"))] }
        return [.list(notes.map { PageRow("\($0.number) · \($0.title)") })]
    }

    var actions: [PageAction] {
        [
            PageAction(
                "add", title: bundle.strings.string("list.add"),
                fields: [PageField("text", label: bundle.strings.string("list.text"))])
        ]
            + (notes ?? []).map {
                PageAction("note-\($0.number)", title: bundle.strings.string("list.open", $0.number))
            }
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if action == "add" {
            _ = try bundle.storage.add(input["text"] ?? "")
        } else if let note = notes?.first(where: { "note-\($0.number)" == action }) {
            try await bundle.context.router.open(NotesRoutes.note, note.number)
        } else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    /// The notes; `nil` if they cannot be read, which the page shows and the log explains.
    private var notes: [Note]? {
        do {
            return try bundle.storage.notes()
        } catch {
            bundle.context.logger.error("the notes cannot be read: \(error)")
            return nil
        }
    }
}
