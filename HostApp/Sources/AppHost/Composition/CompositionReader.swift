import Doctor
import PluginCore
import PluginRouter
import PluginRuntime
import BundleFormat

/// The reader of composition files, which reports every problem at once, each with its path.
enum CompositionReader {
    /// Reads a composition file and the routes of its rules.
    ///
    /// - Parameter converters: the types that the captures of a pattern can be converted to.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    static func read(
        _ path: FilePath, converters: RouteConverters = .standard
    ) throws(AtriumError) -> ComposedRoutes {
        try read(InputFile.content(of: path), of: path, converters: converters)
    }

    /// Reads the contents of a composition file.
    static func read(
        _ content: [UInt8], of path: FilePath, converters: RouteConverters
    ) throws(AtriumError) -> ComposedRoutes {
        let value: JSONValue
        do {
            value = try StrictJSON.decode(JSONValue.self, from: content)
        } catch {
            throw AtriumError(.compositionInvalid, path.string, reason: .verbatim(StrictJSON.finding(error)))
        }
        var validator = CompositionValidator(converters: converters)
        let composed = validator.validate(value)
        guard validator.problems.isEmpty else {
            throw AtriumError(.compositionInvalid, path.string, problems: validator.problems)
        }
        return composed
    }
}

/// The validator of a composition file.
struct CompositionValidator {
    /// The types that the captures of a pattern can be converted to.
    let converters: RouteConverters
    private(set) var problems: [ErrorReason] = []

    init(converters: RouteConverters) {
        self.converters = converters
    }

    mutating func validate(_ document: JSONValue) -> ComposedRoutes {
        var fields = CompositionFields(document, at: "")
        if let version = fields.number("formatVersion"), version != Double(Composition.formatVersion) {
            // The rest of a file with an unknown format version cannot be validated.
            problems = [
                .at("formatVersion", ErrorReason("fileTooNew", ["expected": .integer(Composition.formatVersion)]))
            ]
            return .none
        }
        var composition = Composition()
        composition.name = fields.text("name") ?? ""
        composition.version = fields.value("version", "notVersion") { SemanticVersion($0) }
        composition.bundle = fields.value("composition", "notIdentifier") { BundleIdentifier($0) }
        composition.start = fields.optionalText("start")
        if let start = composition.start { _ = fields.address(start, in: "start") }
        composition.tabs = fields.texts("tabs")
        for (index, tab) in composition.tabs.enumerated() { _ = fields.address(tab, in: "tabs[\(index)]") }
        composition.theme = fields.optionalText("theme")
        if let theme = composition.theme, !BundleIdentifier.isValid(theme) {
            fields.add("theme", "notThemeIdentifier", ["text": .text(theme)])
        }
        composition.installOnDemand = fields.choice("installOnDemand") ?? .always
        composition.updates = fields.updates() ?? .manual
        composition.systemLinks = fields.choice("systemLinks") ?? .ask
        composition.systemSchemes = fields.systemSchemes()
        composition.isolatedTeams = fields.texts("isolatedTeams")
        composition.guards = fields.guards()
        composition.fallback = fields.optionalText("fallback").flatMap { fields.address($0, in: "fallback") }
        composition.schemes = fields.schemes()
        composition.fallbacks = fields.fallbacks(converters)
        let bundles = fields.list("bundles")
        fields.reportUnknown()
        problems += fields.problems

        var members: [ComposedMember] = []
        for (index, value) in bundles.enumerated() {
            var fields = CompositionFields(value, at: "bundles[\(index)]")
            members.append(fields.member(after: members, converters))
            if let bundle = composition.bundle, members[index].member.versions != nil {
                fields.add("version", "versionInComposition", ["bundle": .text(bundle)])
            }
            problems += fields.problems
        }
        composition.bundles = members.map(\.member)
        return ComposedRoutes(
            composition: composition, rules: members.flatMap(\.rules), entries: members.compactMap(\.entry)
        )
    }
}

extension CompositionFields {
    /// Reads the optional field `guards`.
    mutating func guards() -> [String] {
        let guards = texts("guards")
        for (index, check) in guards.enumerated() where !ManifestReader.isGuard(check) {
            add("guards[\(index)]", "notTargetAction", ["name": .text(check)])
        }
        return guards
    }

    /// Reads the optional field `systemSchemes`.
    fileprivate mutating func systemSchemes() -> [String] {
        let excluded = HostConfiguration.current.linkSchemes + OutboundLinks.excludedSchemes
        var schemes: [String] = []
        for (index, text) in texts("systemSchemes").enumerated() {
            let (name, field) = (text.lowercased(), "systemSchemes[\(index)]")
            if (try? ResourceURI(scheme: text, segments: ["x"]))?.scheme != name {
                add(field, "notSchemeName", ["text": .text(text)])
            } else if excluded.contains(name) {
                add(field, "schemeNotForSystem", ["text": .text(text)])
            } else if schemes.contains(name) {
                add(field, "nameTwice", ["name": .text(name)])
            }
            schemes.append(name)
        }
        return schemes
    }

    /// Reads the optional field `version` of a bundle.
    mutating func versions() -> VersionRange? { value("version", "notVersionRange") { VersionRange($0) } }

    /// Parses an optional field; returns `nil` and adds a problem for a text that is not valid.
    fileprivate mutating func value<Value>(
        _ field: String, _ problem: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = optionalText(field) else { return nil }
        if let value = parse(text) { return value }
        add(field, problem, ["text": .text(text)])
        return nil
    }

    /// Reads the optional field `updates`.
    mutating func updates() -> UpdatePolicy? { choice("updates") }

    /// Reads an optional field with one of some words; returns `nil` and adds a problem for another one.
    fileprivate mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String) -> Choice? {
        guard let text = optionalText(field) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        let nearest = Nearest.words(to: text, in: known).first
        let values: [String: ErrorReason.Value] = ["text": .text(text), "known": .list(known.map { "\"\($0)\"" })]
        add(
            field,
            nearest.map { ErrorReason("valueMisspelled", values.merging(["nearest": .text($0)]) { $1 }) }
                ?? ErrorReason("valueUnknown", values))
        return nil
    }

    /// Parses the address in a field; returns `nil` and adds a problem if it is invalid.
    mutating func address(_ text: String, in field: String) -> ResourceURI? {
        do {
            return try ResourceURI(text)
        } catch {
            add(field, "notAddress", ["text": .text(text), "problem": .reason(error.reason ?? .error(error))])
            return nil
        }
    }

    fileprivate mutating func schemes() -> [Composition.Scheme] {
        var schemes: [Composition.Scheme] = []
        for (key, value) in members("schemes") {
            let place = place(of: key, in: "schemes")
            let name = key.lowercased()
            if (try? ResourceURI(scheme: key, segments: ["x"]))?.scheme != name {
                add("schemes[\"\(key)\"]", "notSchemeName", ["text": .text(key)])
            } else if schemes.contains(where: { $0.name == name }) {
                add("schemes[\"\(key)\"]", "nameTwice", ["name": .text(name)])
            }
            var fields = CompositionFields(value, at: place)
            let guards = fields.guards()
            let fallback = fields.optionalText("fallback").flatMap { fields.address($0, in: "fallback") }
            fields.reportUnknown()
            add(fields.problems)
            schemes.append(Composition.Scheme(name: name, guards: guards, fallback: fallback))
        }
        return schemes
    }

    fileprivate mutating func fallbacks(_ converters: RouteConverters) -> [Composition.Fallback] {
        var fallbacks: [Composition.Fallback] = []
        for (key, value) in members("fallbacks") {
            let field = "fallbacks[\"\(key)\"]"
            guard case .string(let text) = value else {
                add(field, "stringExpected")
                continue
            }
            let address = address(text, in: field)
            do {
                let pattern = try RoutePattern(String(key.drop { $0 == "/" }), converters: converters)
                let canonicalKeys = Set(pattern.canonicalKeys)
                if let other = fallbacks.first(where: { !canonicalKeys.isDisjoint(with: $0.pattern.canonicalKeys) }) {
                    add(field, "sameAddresses", ["pattern": .text(other.pattern.text)])
                }
                if let address { fallbacks.append(Composition.Fallback(pattern: pattern, address: address)) }
            } catch {
                add(field, error.reason ?? .error(error))
            }
        }
        return fallbacks
    }
}

/// A JSON value of any type, decoded before it is validated.
enum JSONValue: Decodable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each failed attempt makes an error, so what is most frequent comes first.
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if container.decodeNil() {
            self = .null
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}
