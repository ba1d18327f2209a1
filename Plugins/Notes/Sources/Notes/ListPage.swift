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
        let context = bundle.context
        return [
            .list(
                notes.map {
                    PageRow("\($0.number) · \($0.title)", opens: context.address(for: NotesRoutes.note, $0.number))
                })
        ]
    }

    private struct Form: Codable {
        var text = ""
    }

    var actions: [PageAction] {
        let text = PageField("text", label: bundle.strings.string("list.text"))
        PageAction("add", title: bundle.strings.string("list.add"), input: Form(), fields: [text]) { form, _ in
            _ = try bundle.storage.add(form.text)
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
