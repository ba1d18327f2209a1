import BundleFormat
import PluginCore
import TUFMetadata

/// Reads the fields of a target's custom data, and collects all problems.
///
/// Unknown fields are kept, because later versions of the format may add some.
struct CatalogFields {
    /// The only supported version of the format.
    static let formatVersion = 1

    private let object: JSONObject
    private let place: String
    private let problems: ManifestProblems
    /// The fields that were not read.
    private(set) var others: JSONObject

    init(_ object: JSONObject, place: String = "", problems: ManifestProblems = ManifestProblems()) {
        self.object = object
        self.place = place
        self.problems = problems
        others = object
    }

    /// Reads the custom data of a target, which begins with the version of the format.
    init(custom object: JSONObject) {
        self.init(object)
        guard let format = integer("formatVersion", in: 0...Int.max), format != Self.formatVersion else { return }
        add("formatVersion", .format(format, newest: Self.formatVersion))
    }

    /// Throws an error with all problems.
    ///
    /// - Parameter path: The path of the target.
    func check(_ path: String) throws(AtriumError) {
        guard problems.all.isEmpty else { throw AtriumError(.catalogInvalid, path, problems: problems.all) }
    }

    func add(_ name: String, _ problem: ErrorReason) {
        problems.add(place.isEmpty ? name : "\(place).\(name)", problem)
    }

    private mutating func value(_ name: String, isRequired: Bool = true) -> JSONValue? {
        others[name] = nil
        let value = object[name]
        if value == nil, isRequired { add(name, ErrorReason("fieldMissing")) }
        return value
    }

    /// Reads a text of limited length and of a form.
    ///
    /// - Parameter problem: The name of the reason for a text of another form.
    mutating func text(
        _ name: String, limit: Int, isRequired: Bool = true, or problem: String = "",
        unless isValid: (String) -> Bool = { _ in true }
    ) -> String? {
        guard let value = value(name, isRequired: isRequired), let text = text(value, name, limit: limit) else {
            return nil
        }
        if !isValid(text) { add(name, ErrorReason(problem, ["text": .text(text)])) }
        return text
    }

    private func text(_ value: JSONValue, _ name: String, limit: Int) -> String? {
        guard case .string(let text) = value else {
            add(name, ErrorReason("stringExpected"))
            return nil
        }
        guard text.utf8.count <= limit else {
            add(name, ErrorReason("tooLong", ["limit": .integer(limit)]))
            return nil
        }
        return text
    }

    /// Reads a text that must be a given one.
    mutating func require(_ expected: String, _ name: String, limit: Int = CatalogLimits.word) {
        guard let found = text(name, limit: limit), found != expected else { return }
        add(name, ErrorReason("valueDiffers", ["expected": .text(expected), "found": .text(found)]))
    }

    /// Reads a SHA-256 in lowercase hexadecimal.
    mutating func digest(_ name: String) -> String? {
        text(name, limit: CatalogLimits.word, or: "notDigest", unless: CatalogWords.isDigest)
    }

    /// Reads the team that has signed something.
    mutating func team() -> String? {
        text("team", limit: CatalogLimits.path, or: "notTeamName", unless: BundleIdentifier.isValid)
    }

    /// Reads a channel.
    mutating func channel() -> String? {
        text("channel", limit: CatalogLimits.word, or: "notChannel", unless: CatalogWords.isChannel)
    }

    /// Reads a version.
    mutating func version(_ name: String) -> SemanticVersion? {
        text(name, limit: CatalogLimits.path, or: "notVersion") { SemanticVersion($0) != nil }
            .flatMap { SemanticVersion($0) }
    }

    /// Reads a list of versions, newest first.
    mutating func versions(_ name: String) -> [SemanticVersion] {
        let texts = texts(name, count: CatalogLimits.versions, limit: CatalogLimits.path)
        let versions = texts.enumerated().compactMap { index, text in
            let version = SemanticVersion(text)
            if version == nil { add("\(name)[\(index)]", ErrorReason("notVersion", ["text": .text(text)])) }
            return version
        }
        requireDescending(versions, name)
        return versions
    }

    /// Checks that versions are sorted, newest first, and that none is repeated.
    func requireDescending(_ versions: [SemanticVersion], _ name: String) {
        if !zip(versions, versions.dropFirst()).allSatisfy({ $0 > $1 }) { add(name, ErrorReason("notDescending")) }
    }

    /// Checks that texts are sorted by their bytes, and that none is repeated.
    func requireAscending(_ texts: [String], _ name: String) {
        if !zip(texts, texts.dropFirst()).allSatisfy({ $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            add(name, ErrorReason("notAscending"))
        }
    }

    /// Reads a whole number.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .integer(let number) = value else {
            add(name, ErrorReason("integerExpected"))
            return nil
        }
        guard range.contains(number) else {
            add(
                name,
                ErrorReason(
                    "notInRange", ["low": .integer(range.lowerBound), "high": .integer(range.upperBound)]))
            return nil
        }
        return number
    }

    /// Reads the elements of a list.
    mutating func list(_ name: String, limit: Int, isRequired: Bool = true) -> [JSONValue] {
        guard let value = value(name, isRequired: isRequired) else { return [] }
        guard case .array(let elements) = value else {
            add(name, ErrorReason("arrayExpected"))
            return []
        }
        guard elements.count <= limit else {
            add(name, ErrorReason("tooManyElements", ["limit": .integer(limit)]))
            return []
        }
        return elements
    }

    /// Reads a list of texts, each of limited length.
    mutating func texts(_ name: String, count: Int, limit: Int) -> [String] {
        list(name, limit: count).enumerated().compactMap { text($1, "\(name)[\($0)]", limit: limit) }
    }

    /// Reads a list of objects.
    mutating func objects(_ name: String, limit: Int, isRequired: Bool = true) -> [CatalogFields] {
        list(name, limit: limit, isRequired: isRequired).enumerated().compactMap {
            fields(of: $1, at: "\(name)[\($0)]")
        }
    }

    /// Reads the objects in an object by their names.
    mutating func namedObjects(_ name: String, limit: Int) -> [(name: String, fields: CatalogFields)] {
        guard let value = value(name) else { return [] }
        guard case .object(let object) = value else {
            add(name, ErrorReason("objectExpected"))
            return []
        }
        guard object.members.count <= limit else {
            add(name, ErrorReason("tooManyElements", ["limit": .integer(limit)]))
            return []
        }
        return object.members.compactMap { member in
            fields(of: member.value, at: "\(name).\(member.name)").map { (member.name, $0) }
        }
    }

    private func fields(of value: JSONValue, at name: String) -> CatalogFields? {
        guard case .object(let object) = value else {
            add(name, ErrorReason("objectExpected"))
            return nil
        }
        return CatalogFields(object, place: place.isEmpty ? name : "\(place).\(name)", problems: problems)
    }
}

extension JSONObject {
    /// Returns the custom data of a target with the version of the format.
    static func custom(_ members: [(String, JSONValue)], _ others: JSONObject) -> JSONObject {
        var object = others
        object["formatVersion"] = .integer(CatalogFields.formatVersion)
        for (name, value) in members { object[name] = value }
        return object
    }
}
