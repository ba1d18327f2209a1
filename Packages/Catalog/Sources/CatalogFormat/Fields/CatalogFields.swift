import BundleFormat
import HostSystem
import PluginCore

/// Reads the fields of a target's custom data, and collects all problems.
///
/// Unknown fields are kept, because later versions of the format may add some. In place of a required field that cannot be read there is an
/// empty value, because nothing is used after a problem.
final class CatalogFields {
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
    convenience init(custom object: JSONObject) {
        self.init(object)
        guard let format = number("formatVersion", in: 0...Int.max), format != Self.formatVersion else { return }
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

    /// Reports a problem with a field that is not used then.
    private func refuse<Value>(
        _ name: String, _ problem: String, _ values: [String: ErrorReason.Value] = [:]
    ) -> Value? {
        add(name, ErrorReason(problem, values))
        return nil
    }

    private func value(_ name: String, isRequired: Bool = true) -> JSONValue? {
        others[name] = nil
        let value = object[name]
        if value == nil, isRequired { add(name, ErrorReason("fieldMissing")) }
        return value
    }

    /// Reads a text of limited length and of a form.
    ///
    /// - Parameter problem: The name of the reason for a text of another form.
    func text(
        _ name: String, limit: Int, or problem: String = "", unless isValid: (String) -> Bool = { _ in true }
    ) -> String {
        optionalText(name, limit: limit, isRequired: true, or: problem, unless: isValid) ?? ""
    }

    /// Reads a text that may be missing.
    func optionalText(
        _ name: String, limit: Int, isRequired: Bool = false, or problem: String = "",
        unless isValid: (String) -> Bool = { _ in true }
    ) -> String? {
        let text = value(name, isRequired: isRequired).flatMap { value in self.text(value, name, limit: limit) }
        if let text, !isValid(text) { add(name, ErrorReason(problem, ["text": .text(text)])) }
        return text
    }

    private func text(_ value: JSONValue, _ name: String, limit: Int) -> String? {
        guard case .string(let text) = value else { return refuse(name, "stringExpected") }
        return text.utf8.count <= limit ? text : refuse(name, "tooLong", ["limit": .integer(limit)])
    }

    /// Reads a text that must be a given one.
    func require(_ expected: String, _ name: String, limit: Int = CatalogLimits.word) {
        guard let found = optionalText(name, limit: limit, isRequired: true), found != expected else { return }
        add(name, ErrorReason("valueDiffers", ["expected": .text(expected), "found": .text(found)]))
    }

    /// Reads a SHA-256 in lowercase hexadecimal.
    func digest(_ name: String) -> String {
        text(name, limit: CatalogLimits.word, or: "notDigest", unless: ContentDigest.isValid)
    }

    /// Reads the team that has signed something.
    func team() -> String {
        text("team", limit: CatalogLimits.path, or: "notTeamName", unless: BundleIdentifier.isValid)
    }

    /// Reads a channel.
    func channel() -> String {
        text("channel", limit: CatalogLimits.word, or: "notChannel", unless: CatalogWords.isChannel)
    }

    /// Reads a version.
    func version(_ name: String) -> SemanticVersion {
        SemanticVersion(text(name, limit: CatalogLimits.path, or: "notVersion") { SemanticVersion($0) != nil })
            ?? SemanticVersion(major: 0, minor: 0, patch: 0)
    }

    /// Reads a list of versions, newest first.
    func versions(_ name: String) -> [SemanticVersion] {
        let versions = values(name, count: CatalogLimits.versions, or: "notVersion") { SemanticVersion($0) }
        requireDescending(versions, name)
        return versions
    }

    /// Checks that versions are sorted, newest first, and that none is repeated.
    func requireDescending(_ versions: [SemanticVersion], _ name: String) {
        if !zip(versions, versions.dropFirst()).allSatisfy({ $0 > $1 }) { add(name, ErrorReason("notDescending")) }
    }

    /// Checks that texts are sorted by their bytes, and that none is repeated.
    func requireAscending(_ texts: [String], _ name: String) {
        if !zip(texts, texts.dropFirst()).allSatisfy({ $0.isBefore($1) }) {
            add(name, ErrorReason("notAscending"))
        }
    }

    /// Reads a whole number.
    func integer(_ name: String, in range: ClosedRange<Int>) -> Int { number(name, in: range) ?? range.lowerBound }

    private func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .integer(let number) = value else { return refuse(name, "integerExpected") }
        let bounds = ["low": ErrorReason.Value.integer(range.lowerBound), "high": .integer(range.upperBound)]
        return range.contains(number) ? number : refuse(name, "notInRange", bounds)
    }

    /// Reads the elements of a list.
    private func list(_ name: String, limit: Int, isRequired: Bool = true) -> [JSONValue] {
        guard let value = value(name, isRequired: isRequired) else { return [] }
        guard case .array(let elements) = value else { return refuse(name, "arrayExpected") ?? [] }
        return elements.count <= limit ? elements : refuse(name, "tooManyElements", ["limit": .integer(limit)]) ?? []
    }

    /// Reads a list of values from their texts.
    ///
    /// - Parameter problem: The name of the reason for a text that does not stand for a value.
    func values<Value>(
        _ name: String, count: Int, limit: Int = CatalogLimits.path, isRequired: Bool = true, or problem: String,
        _ value: (String) -> Value?
    ) -> [Value] {
        list(name, limit: count, isRequired: isRequired).enumerated().compactMap { index, element in
            let name = "\(name)[\(index)]"
            guard let text = text(element, name, limit: limit) else { return nil }
            return value(text) ?? refuse(name, problem, ["text": .text(text)])
        }
    }

    /// Reads a list of objects.
    func objects(_ name: String, limit: Int, isRequired: Bool = true) -> [CatalogFields] {
        list(name, limit: limit, isRequired: isRequired).enumerated().compactMap {
            fields(of: $1, at: "\(name)[\($0)]")
        }
    }

    /// Reads the objects in an object by their names.
    func namedObjects(_ name: String, limit: Int) -> [(name: String, fields: CatalogFields)] {
        guard let value = value(name) else { return [] }
        guard case .object(let object) = value else { return refuse(name, "objectExpected") ?? [] }
        guard object.members.count <= limit else {
            return refuse(name, "tooManyElements", ["limit": .integer(limit)]) ?? []
        }
        return object.members.compactMap { member in
            fields(of: member.value, at: "\(name).\(member.name)").map { (member.name, $0) }
        }
    }

    private func fields(of value: JSONValue, at name: String) -> CatalogFields? {
        guard case .object(let object) = value else { return refuse(name, "objectExpected") }
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
