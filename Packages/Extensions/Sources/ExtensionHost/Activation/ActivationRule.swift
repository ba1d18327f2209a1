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
struct ActivationRule: Hashable, Sendable {
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
