public import PluginCore

/// A rule that decides for which input a host offers an extension.
///
/// It has one of two forms. Counts say how many attachments of each kind the extension accepts (``ActivationSource``); a predicate is an
/// expression over the input's items. Both have the meaning of Apple's NSExtensionActivationRule.
///
/// ```swift
/// let rule = try ActivationRule(#"{ "text": true, "images": { "max": 1 } }"#)
/// let images = ActivationInput.Attachment(types: [.png], fileSize: 10)
/// rule.evaluate(ActivationInput(items: [.init(attachments: [images, images])])).failures
/// // "images" allows at most 1, but the input has 2
/// ```
public struct ActivationRule: Sendable {
    private enum Form: Sendable {
        case counts(ActivationCounts)
        case predicate(ActivationPredicate)
    }

    /// The maximum length of a rule, in bytes.
    public static let maximumLength = 8192

    /// The predicate as it was written, or the counts as a JSON object on one line. Creating a rule from it gives the same rule.
    public let text: String
    /// The types of which an input that the rule accepts has at least one, or nil if the rule requires none.
    ///
    /// An empty set means that the rule accepts nothing. Compare with ``ActivationInput/lookupTypes``.
    public let requiredTypes: Set<ContentType>?
    private let form: Form

    /// Reads a predicate, or a JSON object with counts.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid`.
    public init(_ text: String) throws(AtriumError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .activation(text, problems: [ErrorReason("tooLong", ["limit": .integer(Self.maximumLength)])])
        }
        do {
            try self.init(ActivationSource(text: text))
        } catch let error as AtriumError {
            throw error
        } catch {
            throw .activation(text, problems: [.verbatim(StrictJSON.finding(error))])
        }
    }

    /// Validates a rule from a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid`, and all problems of the counts with their keys.
    public init(_ source: ActivationSource) throws(AtriumError) {
        switch source {
        case .counts(let values):
            let counts = try ActivationCounts(values)
            form = .counts(counts)
            text = counts.json
            requiredTypes = counts.requiredTypes
        case .predicate(let written):
            do {
                let predicate = try ActivationPredicate(written)
                form = .predicate(predicate)
                text = written
                requiredTypes = predicate.root.requiredTypes
            } catch {
                throw .activation(written, problems: [error.reason])
            }
        }
    }

    /// Returns whether the rule accepts an input.
    public func activates(for input: ActivationInput) -> Bool {
        switch form {
        case .counts(let counts): counts.failures(for: input).isEmpty
        case .predicate(let predicate): predicate.holds(for: input)
        }
    }

    /// Evaluates the rule, and explains each failed clause if it does not accept the input.
    public func evaluate(_ input: ActivationInput) -> ActivationResult {
        switch form {
        case .counts(let counts): ActivationResult(failures: counts.failures(for: input))
        case .predicate(let predicate): ActivationResult(failures: predicate.failures(for: input))
        }
    }
}

extension ActivationRule: Hashable {
    /// Returns whether both rules have the same text.
    public static func == (one: Self, other: Self) -> Bool { one.text == other.text }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension AtriumError.Code {
    /// An activation rule that violates its grammar or limits.
    public static let activationInvalid = Self("activationInvalid")
}

extension AtriumError {
    /// The maximum length of a rule or clause that an error quotes, in characters.
    private static let quoteLimit = 120

    static func activation(_ text: String, problems: [ErrorReason]) -> AtriumError {
        let (reason, all) = problems.count == 1 ? (problems.first, []) : (nil, problems)
        return AtriumError(.activationInvalid, quote(text), reason: reason, problems: all)
    }

    /// Returns the beginning of a text without line breaks and repeated spaces.
    static func quote(_ text: some StringProtocol) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > quoteLimit ? line.prefix(quoteLimit) + "..." : line
    }
}
