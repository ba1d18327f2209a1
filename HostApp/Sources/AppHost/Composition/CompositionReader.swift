import Doctor
import HostSystem
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
        self = try ManifestFields.read(content, of: path.string, .compositionInvalid, tooNew: "fileTooNew") {
            $0.composition(converters)
        }
    }
}

extension ManifestFields {
    /// Reads the whole file.
    fileprivate func composition(_ converters: RouteConverters) -> ComposedRoutes {
        var composition = ComposedRoutes()
        composition.name = text("name", isRequired: true) ?? ""
        composition.version = parsed("version", or: "notVersion")
        composition.bundle = parsed("composition", or: "notIdentifier")
        composition.start = text("start")
        if let start = composition.start { _ = address(start, at: "start") }
        composition.tabs = texts("tabs", limit: .max) { _ = address($0, at: $1) }
        composition.theme = text("theme", or: "notThemeIdentifier", where: BundleIdentifier.isValid)
        composition.installOnDemand = choice("installOnDemand") ?? .always
        composition.updates = choice("updates") ?? .manual
        composition.systemLinks = choice("systemLinks") ?? .ask
        composition.systemSchemes = systemSchemes()
        composition.isolatedTeams = texts("isolatedTeams", limit: .max)
        composition.guards = guards()
        composition.fallback = fallback()
        composition.schemes = schemes()
        composition.fallbacks = fallbacks(converters)
        let bundle = composition.bundle
        var members: [ComposedRoutes.Member] = []
        composition.bundles = objects("bundles", isRequired: true, limit: .max) { fields in
            let member = fields.member(after: members, converters)
            if let bundle, member.versions != nil {
                fields.report("version", "versionInComposition", ["bundle": .text(bundle)])
            }
            members.append(member)
            return member
        }
        return composition
    }

    /// Reads the optional field `guards`.
    func guards() -> [String] {
        texts("guards", limit: .max) { check, place in
            if !ManifestReader.isGuard(check) { problems.add(place, "notTargetAction", ["name": .text(check)]) }
        }
    }

    /// Reads the optional field `systemSchemes`.
    private func systemSchemes() -> [String] {
        let excluded = HostConfiguration.current.linkSchemes + OutboundLinks.excludedSchemes
        var schemes: [String] = []
        _ = texts("systemSchemes", limit: .max) { text, place in
            let name = schemeName(text, at: place, besides: schemes)
            if excluded.contains(name) { problems.add(place, "schemeNotForSystem", ["text": .text(text)]) }
            schemes.append(name)
        }
        return schemes
    }

    /// Returns the name of a scheme in lower case, and adds a problem if it is not a scheme, or if it is one of the others.
    private func schemeName(_ text: String, at place: String, besides others: [String]) -> String {
        let name = text.lowercased()
        if (try? ResourceURI(scheme: text, segments: ["x"]))?.scheme != name {
            problems.add(place, "notSchemeName", ["text": .text(text)])
        } else if others.contains(name) {
            problems.add(place, "nameTwice", ["name": .text(name)])
        }
        return name
    }

    /// Reads an optional field with one of some words; returns `nil` and adds a problem for another one.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String) -> Choice? {
        guard let text = text(field) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        var values: [String: ErrorReason.Value] = ["text": .text(text), "known": .list(known.map { "\"\($0)\"" })]
        let nearest = Nearest.words(to: text, in: known).first
        values["nearest"] = nearest.map { .text($0) }
        report(field, nearest == nil ? "valueUnknown" : "valueMisspelled", values)
        return nil
    }

    /// Parses the address in a field; returns `nil` and adds a problem if it is invalid.
    private func address(_ text: String, at place: String) -> ResourceURI? {
        do {
            return try ResourceURI(text)
        } catch {
            let problem = error.reason ?? .error(error)
            problems.add(place, "notAddress", ["text": .text(text), "problem": .reason(problem)])
            return nil
        }
    }

    private func fallback() -> ResourceURI? { text("fallback").flatMap { address($0, at: place(of: "fallback")) } }

    private func schemes() -> [ComposedRoutes.Scheme] {
        var schemes: [ComposedRoutes.Scheme] = []
        entries("schemes") { entries, key in
            let name = schemeName(key, at: entries.place(of: key), besides: schemes.map(\.name))
            let scheme = entries.object(key) {
                ComposedRoutes.Scheme(name: name, guards: $0.guards(), fallback: $0.fallback())
            }
            if let scheme { schemes.append(scheme) }
        }
        return schemes
    }

    private func fallbacks(_ converters: RouteConverters) -> [ComposedRoutes.Fallback] {
        var fallbacks: [ComposedRoutes.Fallback] = []
        entries("fallbacks") { entries, key in
            guard let text = entries.text(key) else { return }
            let address = address(text, at: entries.place(of: key))
            do throws(AtriumError) {
                let pattern = try RoutePattern(String(key.drop { $0 == "/" }), converters: converters)
                let canonicalKeys = Set(pattern.canonicalKeys)
                if let other = fallbacks.first(where: { !canonicalKeys.isDisjoint(with: $0.pattern.canonicalKeys) }) {
                    entries.report(key, "sameAddresses", ["pattern": .text(other.pattern.text)])
                }
                if let address { fallbacks.append(ComposedRoutes.Fallback(pattern: pattern, address: address)) }
            } catch {
                problems.add(entries.place(of: key), error.reason ?? .error(error))
            }
        }
        return fallbacks
    }
}
