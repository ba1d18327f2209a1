internal import PluginCore
internal import PluginExtension

/// The page of the editor, which shows the picture after each change.
final class EditorPage: Page {
    let title: String
    private let strings: BundleResources
    private var edit: Edit
    private var picture: ItemAttachment
    private let edited: (Edit) throws -> ItemAttachment
    private let finish: (Edit, ItemAttachment) throws -> Void

    init(
        _ title: String, _ strings: BundleResources, _ edit: Edit, _ picture: ItemAttachment,
        _ edited: @escaping (Edit) throws -> ItemAttachment, _ finish: @escaping (Edit, ItemAttachment) throws -> Void
    ) {
        (self.title, self.strings, self.edit, self.picture) = (title, strings, edit, picture)
        (self.edited, self.finish) = (edited, finish)
    }

    var content: [PageElement] {
        let text = strings.string(edit.isGray ? "editor.isGray" : "editor.isColored", edit.quarterTurns * 90)
        return [.image(PageImage(png: (try? picture.load(limit: PageImage.largestFile)) ?? [], text: text))]
    }

    var actions: [PageAction] {
        PageAction("gray", title: strings.string("editor.gray")) { _ in try change { $0.isGray.toggle() } }
        PageAction("rotate", title: strings.string("editor.rotate")) { _ in
            try change { $0.quarterTurns = ($0.quarterTurns + 1) % 4 }
        }
        PageAction("done", title: strings.string("editor.done")) { _ in try finish(edit, picture) }
    }

    private func change(_ body: (inout Edit) -> Void) throws {
        var changed = edit
        body(&changed)
        picture = try edited(changed)
        edit = changed
    }
}
