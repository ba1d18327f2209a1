internal import NotesInterface
internal import NotesStorage
internal import PluginCore

/// The page with all notes, newest first.
final class ListPage: Page {
    private let bundle: NotesBundle

    init(_ bundle: NotesBundle) { self.bundle = bundle }

    var title: String { bundle.texts.listTitle }

    var content: [PageElement] {
        let (context, texts) = (bundle.context, bundle.texts)
        let list = context.list(empty: texts.listEmpty, unreadable: texts.listUnreadable) {
            try bundle.storage.notes().map {
                PageRow("\($0.number) · \($0.title)", opens: context.address(for: NotesRoutes.note, $0.number))
            }
        }
        return [list]
    }

    private struct Form: Codable { var text = "" }

    var actions: [PageAction] {
        let text = PageField("text", label: bundle.texts.listText)
        PageAction("add", title: bundle.texts.listAdd, input: Form(), fields: [text]) { form, _ in
            _ = try bundle.storage.add(form.text)
        }
    }
}
