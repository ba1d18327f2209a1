import Doctor
import PluginCatalog
import PluginCore
import PluginRouter
import BundleFormat

extension ComposedRoutes {
    /// Reads the contents of a composition file and the routes of its rules, and reports every problem at once, each with its path.
    ///
    /// - Parameter converters: the types that the captures of a pattern can be converted to.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`.
    init(_ content: [UInt8], of path: FilePath, converters: RouteConverters) throws(AtriumError) {
        self = try CompositionFields.read(content, of: path.string, .compositionInvalid, tooNew: "fileTooNew") {
            $0.composition(converters)
        }
    }
}

extension CompositionFields {
    /// Reads the whole file.
    fileprivate mutating func composition(_ converters: RouteConverters) -> ComposedRoutes {
        var composition = ComposedRoutes()
        composition.name = text("name") ?? ""
        composition.version = value("version", "notVersion") { SemanticVersion($0) }
        composition.bundle = value("composition", "notIdentifier") { BundleIdentifier($0) }
        composition.start = optionalText("start")
        if let start = composition.start { _ = address(start, in: "start") }
        composition.tabs = texts("tabs")
        for (index, tab) in composition.tabs.enumerated() { _ = address(tab, in: "tabs[\(index)]") }
        composition.theme = value("theme", "notThemeIdentifier") { BundleIdentifier.isValid($0) ? $0 : nil }
        composition.installOnDemand = choice("installOnDemand") ?? .always
        composition.updates = choice("updates") ?? .manual
        composition.systemLinks = choice("systemLinks") ?? .ask
        composition.systemSchemes = systemSchemes()
        composition.isolatedTeams = texts("isolatedTeams")
        composition.guards = guards()
        composition.fallback = fallback()
        composition.schemes = schemes()
        composition.fallbacks = fallbacks(converters)
        for (index, value) in list("bundles").enumerated() {
            let member = object(value, in: "bundles[\(index)]") { fields in
                let member = fields.member(after: composition.bundles, converters)
                if let bundle = composition.bundle, member.versions != nil {
                    fields.add("version", "versionInComposition", ["bundle": .text(bundle)])
                }
                return member
            }
            composition.bundles.append(member)
        }
        return composition
    }

    /// Reads the optional field `guards`.
    mutating func guards() -> [String] {
        let guards = texts("guards")
        for (index, check) in guards.enumerated() where !ManifestReader.isGuard(check) {
            add("guards[\(index)]", "notTargetAction", ["name": .text(check)])
        }
        return guards
    }

    /// Reads the optional field `systemSchemes`.
    private mutating func systemSchemes() -> [String] {
        let excluded = HostConfiguration.current.linkSchemes + OutboundLinks.excludedSchemes
        var schemes: [String] = []
        for (index, text) in texts("systemSchemes").enumerated() {
            let field = "systemSchemes[\(index)]"
            let name = schemeName(text, in: field, besides: schemes)
            if excluded.contains(name) { add(field, "schemeNotForSystem", ["text": .text(text)]) }
            schemes.append(name)
        }
        return schemes
    }

    /// Returns the name of a scheme in lower case, and adds a problem if it is not a scheme, or if it is one of the others.
    private mutating func schemeName(_ text: String, in field: String, besides others: [String]) -> String {
        let name = text.lowercased()
        if (try? ResourceURI(scheme: text, segments: ["x"]))?.scheme != name {
            add(field, "notSchemeName", ["text": .text(text)])
        } else if others.contains(name) {
            add(field, "nameTwice", ["name": .text(name)])
        }
        return name
    }

    /// Parses an optional field; returns `nil` and adds a problem for a text that is not valid.
    mutating func value<Value>(
        _ field: String, _ problem: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = optionalText(field) else { return nil }
        if let value = parse(text) { return value }
        add(field, problem, ["text": .text(text)])
        return nil
    }

    /// Reads an optional field with one of some words; returns `nil` and adds a problem for another one.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String) -> Choice? {
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

    private mutating func fallback() -> ResourceURI? {
        optionalText("fallback").flatMap { address($0, in: "fallback") }
    }

    private mutating func schemes() -> [ComposedRoutes.Scheme] {
        var schemes: [ComposedRoutes.Scheme] = []
        for (key, value) in members("schemes") {
            let field = "schemes[\"\(key)\"]"
            let name = schemeName(key, in: field, besides: schemes.map(\.name))
            schemes.append(
                object(value, in: field) {
                    ComposedRoutes.Scheme(name: name, guards: $0.guards(), fallback: $0.fallback())
                })
        }
        return schemes
    }

    private mutating func fallbacks(_ converters: RouteConverters) -> [ComposedRoutes.Fallback] {
        var fallbacks: [ComposedRoutes.Fallback] = []
        for (key, value) in members("fallbacks") {
            let field = "fallbacks[\"\(key)\"]"
            guard let text = value.text else {
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
                if let address { fallbacks.append(ComposedRoutes.Fallback(pattern: pattern, address: address)) }
            } catch {
                add(field, error.reason ?? .error(error))
            }
        }
        return fallbacks
    }
}
