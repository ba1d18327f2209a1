internal import PluginCore

/// A rule that counts attachments by their kind.
struct ActivationCounts: Sendable {
    /// The maximum number that an explanation lists of anything.
    private static let listLimit = 8

    /// The maximum number of each supported kind, which is more than zero. Text has no maximum.
    var maximums: [AttachmentKind: Int] = [:]
    /// The minimum number of all attachments.
    var minimum: Int?
    /// The maximum number of all attachments.
    var maximum: Int?
    /// The version of the rule's meaning: 1 or 2.
    var version = 1
    var usesStrictMatching = false

    /// A Boolean value that indicates whether every attachment must be of a supported kind, and not only one of them.
    private var needsAll: Bool { version == 1 || usesStrictMatching }
    private var kinds: [AttachmentKind] { AttachmentKind.allCases.filter { maximums[$0] != nil } }

    var requiredTypes: Set<ContentType> { Set(kinds.map(\.type)) }

    func failures(for input: ActivationInput) -> [ActivationFailure] {
        var counts: [AttachmentKind: Int] = [:]
        var total = 0
        var isSupported = false
        var unsupported: [ErrorReason] = []
        for (itemIndex, item) in input.items.enumerated() {
            for (index, attachment) in item.attachments.enumerated() {
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
        return reasons.map { ActivationFailure($0) }
    }
}
