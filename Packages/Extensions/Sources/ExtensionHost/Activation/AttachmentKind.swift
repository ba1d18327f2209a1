import PluginExtension

/// A kind of attachment that a rule can count. The name is its key in a manifest.
enum AttachmentKind: String, CaseIterable {
    /// NSExtensionActivationSupportsText: data that is text.
    case text
    /// NSExtensionActivationSupportsWebURLWithMaxCount: URLs except those of files.
    case webURLs
    /// NSExtensionActivationSupportsWebPageWithMaxCount: HTML.
    case webPages
    /// NSExtensionActivationSupportsImageWithMaxCount: images, which can be files.
    case images
    /// NSExtensionActivationSupportsMovieWithMaxCount: movies, which can be files.
    case movies
    /// NSExtensionActivationSupportsFileWithMaxCount: files of any type that no other kind of the rule accepts.
    case files

    /// The type to which one of the types of each attachment of this kind conforms.
    var type: ContentType {
        switch self {
        case .text: .text
        case .webURLs: .url
        case .webPages: .html
        case .images: .image
        case .movies: .movie
        case .files: .fileURL
        }
    }

    func accepts(_ attachment: ItemAttachment) -> Bool {
        switch self {
        case .files: attachment.isFile
        case .webURLs: attachment.types.contains { $0.conforms(to: .url) && !$0.conforms(to: .fileURL) }
        default: attachment.types.contains { $0.conforms(to: type) }
        }
    }
}

extension ItemAttachment {
    /// A Boolean value that indicates whether the data is a file.
    var isFile: Bool {
        if case .file = content { return true }
        return types.contains { $0.conforms(to: .fileURL) }
    }
}

extension ExtensionItem {
    /// The attachments that a rule counts. A text of the item itself is one, as in the items that a share sheet makes of a selection.
    var countedAttachments: [ItemAttachment] { (text.map { [ItemAttachment(text: $0)] } ?? []) + attachments }
}

extension [ExtensionItem] {
    /// The keys of rules that may accept the items, for a look-up among many rules: any other rule does not accept them.
    var ruleKeys: Set<String> {
        var types: Set<ContentType> = []
        for attachment in flatMap(\.countedAttachments) {
            for type in attachment.types where types.insert(type).inserted { types.formUnion(type.supertypes) }
            if attachment.isFile { types.insert(.fileURL) }
        }
        return Set<String>(AttachmentKind.allCases.filter { types.contains($0.type) }.map(\.rawValue))
    }
}
