import PluginCore
import PluginExtension

/// The types of the data that a user shares: the input of an activation rule.
///
/// ```swift
/// ActivationInput(items: [.init(attachments: [.init(types: [.png], fileSize: 4_096)])])
/// ```
struct ActivationInput: Hashable, Sendable {
    /// A group of attachments, such as those of one message.
    struct Item: Hashable, Sendable {
        /// The attachments in their order.
        var attachments: [Attachment]
    }

    /// One piece of data, which can be available in several types.
    struct Attachment: Hashable, Sendable {
        /// The types in which the data is available, the most faithful first.
        var types: [ContentType]
        /// The size of the file in bytes, or nil if the data is not a file.
        var fileSize: Int?

        /// A Boolean value that indicates whether the data is a file.
        var isFile: Bool { fileSize != nil || types.contains { $0.conforms(to: .fileURL) } }
    }

    /// The items in their order.
    var items: [Item]

    /// The keys of rules that may accept the input, for a look-up among many rules: any other rule does not accept it.
    var ruleKeys: Set<String> {
        var types: Set<ContentType> = []
        for attachment in items.flatMap(\.attachments) {
            for type in attachment.types where types.insert(type).inserted { types.formUnion(type.supertypes) }
            if attachment.isFile { types.insert(.fileURL) }
        }
        return Set(AttachmentKind.allCases.filter { types.contains($0.type) }.map(\.rawValue))
    }
}

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
