public import PluginCore

extension ActivationRule {
    /// The maximum number that an explanation lists of anything.
    private static let listLimit = 8

    /// Returns whether the rule accepts an input.
    public func activates(for input: ActivationInput) -> Bool { failures(for: input).isEmpty }

    /// Returns why the rule does not accept an input, with the expected and the found numbers and types; nothing if it accepts the input.
    public func failures(for input: ActivationInput) -> [ErrorReason] {
        let needsAll = version == 1 || usesStrictMatching
        let kinds = kinds
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
        return reasons
    }
}
