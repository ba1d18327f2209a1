import PluginCore

/// An activation rule as a manifest contains it, before validation: an object.
///
/// ```json
/// { "text": true, "webURLs": { "max": 1 }, "images": { "max": 3 }, "attachments": { "min": 1, "max": 5 }, "version": 2 }
/// ```
///
/// Each key stands for one of Apple's, all of which begin with `NSExtensionActivation`:
///
/// - `text`: `SupportsText`.
/// - `webURLs`, `webPages`, `images`, `movies` and `files`, with `max`: `SupportsWebURLWithMaxCount`, `SupportsWebPageWithMaxCount`,
///   `SupportsImageWithMaxCount`, `SupportsMovieWithMaxCount` and `SupportsFileWithMaxCount`. An absent key means 0.
/// - `attachments` with `min` and `max`: `SupportsAttachmentsWithMinCount` and `SupportsAttachmentsWithMaxCount`.
/// - `version`: `DictionaryVersion`. In version 1, the default, all attachments must be of a supported kind; in version 2, one of them.
/// - `strictMatching`: `UsesStrictMatching`. If true, all attachments must be of a supported kind in version 2 as well.
enum ActivationSource: Hashable, Sendable {
    /// The maximum numbers of attachments of each kind.
    case counts([String: Value])
    /// A text, such as a predicate from an `Info.plist` of Apple's systems, which no rule can be created from.
    case text(String)

    /// A value of a key.
    enum Value: Hashable, Sendable {
        /// `true` or `false`.
        case flag(Bool)
        /// An integer.
        case integer(Int)
        /// An object with limits.
        case limits([String: Value])
        /// Any other value, which no key accepts.
        case other
    }
}

extension ActivationSource {
    /// Reads the text of a JSON object.
    ///
    /// - Throws: The errors of ``StrictJSON``.
    init(text: String) throws {
        self = try StrictJSON.decode(Self.self, from: Array(text.utf8))
    }
}

extension ActivationSource: Codable {
    /// Decodes a text or an object. Values of unexpected types are reported when the rule is created.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .counts(try container.decode([String: Value].self))
        }
    }

    /// Encodes a text or an object.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .counts(let values): try container.encode(values)
        }
    }
}

extension ActivationSource.Value: Codable {
    /// Decodes any value.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let limits = try? container.decode([String: Self].self) {
            self = .limits(limits)
        } else {
            self = .other
        }
    }

    /// Encodes the value. One that no key accepts becomes null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .limits(let limits): try container.encode(limits)
        case .other: try container.encodeNil()
        }
    }
}

extension ActivationRule {
    /// The maximum number of problems that an error lists.
    private static let problemLimit = 16
    /// A rule for the authors of a text.
    private static let example = #"{"text": true, "images": {"max": 3}}"#

    /// Validates a rule from a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid`, and all problems with their keys.
    init(_ source: ActivationSource) throws(AtriumError) {
        switch source {
        case .counts(let values): try self.init(values)
        case .text:
            let kinds = AttachmentKind.allCases.map(\.rawValue)
            throw .activation([
                ErrorReason("activationText", ["example": .text(Self.example), "kinds": .list(kinds)])
            ])
        }
    }

    /// Validates the values of all keys, and reports all problems together.
    private init(_ values: [String: ActivationSource.Value]) throws(AtriumError) {
        var problems: [ErrorReason] = []
        func limit(_ value: ActivationSource.Value?, _ place: String) -> Int? {
            guard let value else { return nil }
            guard case .integer(let number) = value, number >= 0 else {
                problems.append(.at(place, ErrorReason("countExpected")))
                return nil
            }
            return number
        }
        func limits(_ key: String, _ names: [String]) -> [Int?] {
            guard let value = values[key] else { return names.map { _ in nil } }
            guard case .limits(let limits) = value, !limits.isEmpty else {
                problems.append(.at(key, ErrorReason("limitsExpected", ["names": .list(names)])))
                return names.map { _ in nil }
            }
            problems += Self.unknown(limits.keys, known: names).map { .at("\(key).\($0)", $1) }
            return names.map { limit(limits[$0], "\(key).\($0)") }
        }
        func flag(_ key: String) -> Bool {
            guard let value = values[key] else { return false }
            guard case .flag(let flag) = value else {
                problems.append(.at(key, ErrorReason("boolExpected")))
                return false
            }
            return flag
        }

        var maximums: [AttachmentKind: Int] = [:]
        if flag("text") { maximums[.text] = .max }
        for kind in AttachmentKind.allCases where kind != .text {
            if let most = limits(kind.rawValue, ["max"])[0], most > 0 { maximums[kind] = most }
        }
        self.maximums = maximums
        let attachments = limits("attachments", ["min", "max"])
        (minimum, maximum) = (attachments[0], attachments[1])
        if let minimum, let maximum, minimum > maximum {
            problems.append(
                .at(
                    "attachments",
                    ErrorReason("minimumAboveMaximum", ["min": .integer(minimum), "max": .integer(maximum)])))
        }
        version = limit(values["version"], "version") ?? 1
        if ![1, 2].contains(version) {
            problems.append(.at("version", ErrorReason("oneOfExpected", ["known": ["1", "2"]])))
        }
        usesStrictMatching = flag("strictMatching")
        let known = AttachmentKind.allCases.map(\.rawValue) + ["attachments", "version", "strictMatching"]
        problems += Self.unknown(values.keys, known: known).map { .at($0, $1) }
        if problems.isEmpty, maximums.isEmpty {
            problems.append(
                ErrorReason("kindMissing", ["kinds": .list(AttachmentKind.allCases.map(\.rawValue))]))
        }
        guard problems.isEmpty else {
            let more = problems.count - Self.problemLimit
            let rest = more > 0 ? [ErrorReason("more", ["count": .integer(more)])] : []
            throw .activation(problems.prefix(Self.problemLimit) + rest)
        }
    }

    private static func unknown(
        _ keys: some Collection<String>, known: [String]
    ) -> [(String, ErrorReason)] {
        let unknown = keys.filter { !known.contains($0) }.sorted()
        return unknown.enumerated().map { index, key in
            let nearest = index < problemLimit ? Nearest.words(to: key, in: known).first : nil
            return (key, .unknownField(nearest: nearest))
        }
    }
}
