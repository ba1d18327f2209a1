internal import PluginCore
internal import PluginExtension

/// The page of the editor, which shows the picture after each change.
final class EditorPage: Page {
    let title: String
    private let texts: Texts
    private var edit: Edit
    private var picture: ItemAttachment
    /// The picture's bytes, or nil if it is too large for a page.
    private var shown: [UInt8]?
    private let edited: (Edit) throws -> ItemAttachment
    private let finish: (Edit, ItemAttachment) throws -> Void

    init(
        _ title: String, _ texts: Texts, _ edit: Edit, _ picture: ItemAttachment,
        _ edited: @escaping (Edit) throws -> ItemAttachment, _ finish: @escaping (Edit, ItemAttachment) throws -> Void
    ) {
        (self.title, self.texts, self.edit, self.picture) = (title, texts, edit, picture)
        (self.edited, self.finish) = (edited, finish)
        shown = try? picture.load(limit: PageImage.largestFile)
    }

    var content: [PageElement] {
        let degrees = edit.quarterTurns * 90
        let text = edit.isGray ? texts.editorIsGray(degrees) : texts.editorIsColored(degrees)
        return [shown.map { PageElement.image(PageImage(png: $0, text: text)) } ?? .text(texts.editorTooLarge)]
    }

    var actions: [PageAction] {
        PageAction("gray", title: texts.editorGray) { _ in try change { $0.isGray.toggle() } }
        PageAction("rotate", title: texts.editorRotate) { _ in
            try change { $0.quarterTurns = ($0.quarterTurns + 1) % 4 }
        }
        PageAction("done", title: texts.editorDone) { _ in try finish(edit, picture) }
    }

    private func change(_ body: (inout Edit) -> Void) throws {
        var changed = edit
        body(&changed)
        picture = try edited(changed)
        shown = try? picture.load(limit: PageImage.largestFile)
        edit = changed
    }
}
