internal import FoundationEssentials
internal import PluginCore
internal import PluginExtension

/// Returns the extension's description; this is the only symbol that the extension's process looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: PhotosEditor.self) }

/// The photo editor, which turns a PNG gray and rotates it: by its page, or as the settings of the request say.
final class PhotosEditor: ExtensionDelegate {
    static let point = ExtensionPoints.photoEditing
    private let environment: ExtensionEnvironment

    init(environment: ExtensionEnvironment) { self.environment = environment }

    func beginRequest(_ input: PhotoEdit, in context: ExtensionContext<PhotoEdit>) async throws {
        let edit = try Edit(input)
        guard let item = context.items.first, let picture = item.attachments.first,
            picture.types.contains(where: { $0.conforms(to: .png) })
        else { throw AtriumError(.pictureInvalid, "request", message: "there is no PNG in the request") }
        let png = try picture.load(limit: Bitmap.fileLimit)
        func edited(_ edit: Edit) throws -> ItemAttachment {
            let bitmap = try Bitmap(png: png, isGray: edit.isGray)
            context.reportProgress(0.5)
            let file = try file(with: bitmap.rotated(quarterTurns: edit.quarterTurns))
            return ItemAttachment(types: [.png], name: picture.name, content: .file(file))
        }
        func finish(_ edit: Edit, _ result: ItemAttachment) throws {
            try context.completeRequest(
                returning: edit.description, items: [ExtensionItem(title: item.title, attachments: [result])])
        }
        guard input == PhotoEdit() else { return try finish(edit, edited(edit)) }
        try await context.show(
            EditorPage(picture.name ?? "PNG", Texts(environment.resources), edit, edited(edit), edited, finish))
    }

    /// Returns an open file with a picture, which has no name any more and disappears when it is closed.
    private func file(with bitmap: Bitmap) throws -> AttachmentFile {
        let path = environment.container.temporary.appending("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        try bitmap.write(to: path)
        return try AttachmentFile(opening: path)
    }
}

extension AtriumError.Code {
    /// The code for a picture that is not a PNG, is damaged, or is too large.
    static let pictureInvalid = Self("pictureInvalid")
    /// The code for the description of an edit that another editor or another version has created.
    static let editUnknown = Self("editUnknown")
}
