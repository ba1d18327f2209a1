internal import PluginCore

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

    func accepts(_ attachment: ActivationInput.Attachment) -> Bool {
        switch self {
        case .files: attachment.isFile
        case .webURLs: attachment.types.contains { $0.conforms(to: .url) && !$0.conforms(to: .fileURL) }
        default: attachment.types.contains { $0.conforms(to: type) }
        }
    }
}
