internal import BundleFormat
import PluginCore

extension ActivationRule {
    /// The maximum number of problems that an error lists.
    private static let problemLimit = 16
    /// A rule for the authors of a text.
    private static let example = #"{"text": true, "images": {"max": 3}}"#

    /// Reads a rule from the text of a JSON object.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid`, and all problems with their keys. A text, such as a predicate from an
    ///   `Info.plist` of Apple's systems, is one.
    init(_ text: String) throws(AtriumError) {
        let bytes = Array(text.utf8)
        let values: [String: ManifestJSON]
        do {
            values = try StrictJSON.decode([String: ManifestJSON].self, from: bytes)
        } catch {
            guard (try? StrictJSON.decode(String.self, from: bytes)) != nil else {
                throw .activation([.verbatim(StrictJSON.finding(error))])
            }
            let kinds = AttachmentKind.allCases.map(\.rawValue)
            throw .activation([
                ErrorReason("activationText", ["example": .text(Self.example), "kinds": .list(kinds)])
            ])
        }
        try self.init(values)
    }

    /// Validates the values of all keys, and reports all problems together.
    private init(_ values: [String: ManifestJSON]) throws(AtriumError) {
        var problems: [ErrorReason] = []
        func limit(_ value: ManifestJSON?, _ place: String) -> Int? {
            guard let value else { return nil }
            guard case .integer(let number) = value, number >= 0 else {
                problems.append(.at(place, ErrorReason("countExpected")))
                return nil
            }
            return number
        }
        func limits(_ key: String, _ names: [String]) -> [Int?] {
            guard let value = values[key] else { return names.map { _ in nil } }
            guard case .object(let limits) = value, !limits.isEmpty else {
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
