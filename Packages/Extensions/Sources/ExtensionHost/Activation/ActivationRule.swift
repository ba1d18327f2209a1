public import PluginCore
import PluginExtension

/// A rule that decides for which input a host offers an extension.
///
/// It says how many attachments of each kind the extension accepts, with the meaning of a dictionary under Apple's
/// NSExtensionActivationRule. Each key in a manifest stands for one of Apple's, all of which begin with `NSExtensionActivation`:
///
/// - `text`: `SupportsText`.
/// - `webURLs`, `webPages`, `images`, `movies` and `files`, with `max`: `SupportsWebURLWithMaxCount`, `SupportsWebPageWithMaxCount`,
///   `SupportsImageWithMaxCount`, `SupportsMovieWithMaxCount` and `SupportsFileWithMaxCount`. An absent key means 0.
/// - `attachments` with `min` and `max`: `SupportsAttachmentsWithMinCount` and `SupportsAttachmentsWithMaxCount`.
/// - `version`: `DictionaryVersion`. In version 1, the default, all attachments must be of a supported kind; in version 2, one of them.
/// - `strictMatching`: `UsesStrictMatching`. If true, all attachments must be of a supported kind in version 2 as well.
///
/// ```swift
/// let rule = try ActivationRule(#"{ "text": true, "images": { "max": 1 } }"#)
/// let image = try ItemAttachment(opening: path, as: [.png])
/// rule.failures(for: [ExtensionItem(attachments: [image, image])])
/// // "images" accepts at most 1, but the input has 2
/// ```
struct ActivationRule: Hashable {
    /// The maximum number of each supported kind, which is more than zero. Text has no maximum.
    let maximums: [AttachmentKind: Int]
    /// The minimum number of all attachments.
    let minimum: Int?
    /// The maximum number of all attachments.
    let maximum: Int?
    /// The version of the rule's meaning: 1 or 2.
    let version: Int
    let usesStrictMatching: Bool

    /// The supported kinds, in the order of a manifest's documentation.
    var kinds: [AttachmentKind] { AttachmentKind.allCases.filter { maximums[$0] != nil } }
}

extension AtriumError.Code {
    /// An activation rule that violates its grammar or limits.
    public static let activationInvalid = Self("activationInvalid")
}

extension ActivationRule {
    /// The maximum number that an explanation lists of anything.
    private static let listLimit = 8

    /// Returns whether the rule accepts some items.
    func activates(for items: [ExtensionItem]) -> Bool { failures(for: items).isEmpty }

    /// Returns why the rule does not accept some items, with the expected and the found numbers and types; nothing if it accepts them.
    func failures(for items: [ExtensionItem]) -> [ErrorReason] {
        let needsAll = version == 1 || usesStrictMatching
        let kinds = kinds
        var counts: [AttachmentKind: Int] = [:]
        var total = 0
        var isSupported = false
        var unsupported: [ErrorReason] = []
        for (itemIndex, item) in items.enumerated() {
            for (index, attachment) in item.countedAttachments.enumerated() {
                total += 1
                var found = kinds.filter { $0.accepts(attachment) }
                // Another kind of the rule already counts this file.
                if found.count > 1 { found.removeAll { $0 == .files } }
                for kind in found { counts[kind, default: 0] += 1 }
                if !found.isEmpty {
                    isSupported = true
                } else if unsupported.count < Self.listLimit {
                    unsupported.append(
                        ErrorReason(
                            "attachmentUnsupported",
                            [
                                "item": .integer(itemIndex + 1), "attachment": .integer(index + 1),
                                "types": .list(attachment.types.prefix(Self.listLimit).map(\.identifier)),
                                "kinds": .list(kinds.map(\.rawValue)),
                            ]))
                }
            }
        }

        var reasons: [ErrorReason] = []
        if let minimum, total < minimum {
            reasons.append(
                ErrorReason("attachmentsTooFew", ["limit": .integer(minimum), "count": .integer(total)]))
        }
        if let maximum, total > maximum {
            reasons.append(
                ErrorReason("attachmentsTooMany", ["limit": .integer(maximum), "count": .integer(total)]))
        }
        for kind in kinds {
            guard let limit = maximums[kind], let count = counts[kind], count > limit else { continue }
            reasons.append(
                ErrorReason(
                    "kindTooMany",
                    ["kind": .text(kind.rawValue), "limit": .integer(limit), "count": .integer(count)]))
        }
        if needsAll { reasons += unsupported }
        if !isSupported, !needsAll || unsupported.isEmpty {
            reasons.append(ErrorReason("noAttachmentSupported", ["kinds": .list(kinds.map(\.rawValue))]))
        }
        return reasons
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
