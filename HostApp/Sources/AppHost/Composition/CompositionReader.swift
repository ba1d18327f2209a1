import BundleFormat
import Doctor
import HostSystem
import PluginCatalog
import PluginCore
import PluginRouter

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
        var app = ComposedRoutes()
        app.name = text("name", isRequired: true) ?? ""
        app.version = parsed("version", or: "notVersion")
        app.bundle = parsed("composition", or: "notIdentifier")
        app.start = text("start")
        if let start = app.start { _ = address(start, at: "start") }
        app.tabs = texts("tabs", limit: .max) { _ = address($0, at: $1) }
        app.theme = text("theme", or: "notThemeIdentifier", where: BundleIdentifier.isValid)
        app.installOnDemand = choice("installOnDemand") ?? .always
        app.updates = choice("updates") ?? .manual
        app.systemLinks = choice("systemLinks") ?? .ask
        app.systemSchemes = systemSchemes()
        app.isolatedTeams = texts("isolatedTeams", limit: .max)
        app.guards = guards()
        app.fallback = fallback()
        app.schemes = schemes()
        app.fallbacks = fallbacks(converters)
        let bundle = app.bundle
        var members: [ComposedRoutes.Member] = []
        app.bundles = objects("bundles", isRequired: true, limit: .max) { fields in
            let member = fields.member(after: members, converters)
            if let bundle, member.versions != nil {
                fields.report("version", "versionInComposition", ["bundle": .text(bundle)])
            }
            members.append(member)
            return member
        }
        return app
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
            if let scheme = entries.object(key, { (name, $0.guards(), $0.fallback()) }) { schemes.append(scheme) }
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
                if let other = fallbacks.first(where: { pattern.isSame(as: $0.pattern) }) {
                    entries.report(key, "sameAddresses", ["pattern": .text(other.pattern.text)])
                }
                if let address { fallbacks.append((pattern, address)) }
            } catch {
                problems.add(entries.place(of: key), error.reason ?? .error(error))
            }
        }
        return fallbacks
    }
}

extension ManifestFields {
    /// Reads the bundle that these fields describe.
    func member(after others: [ComposedRoutes.Member], _ converters: RouteConverters) -> ComposedRoutes.Member {
        let uri = text("uri", isRequired: true)
        let pkg = text("pkg", isRequired: true)
        var read = ComposedRoutes.Member(
            uri: uri ?? "", pkg: pkg ?? "", guards: guards(), updates: choice("updates"),
            versions: parsed("version", or: "notVersionRange"))
        if let uri, !Self.isSegment(uri) {
            report("uri", "notSegment", ["text": .text(uri)])
        } else if let uri, let other = others.firstIndex(where: { Nearest.distance($0.uri, uri) == 0 }) {
            report("uri", "segmentUsed", ["text": .text(uri), "index": .integer(other)])
        }
        if pkg?.isEmpty == true {
            report("pkg", "identifierExpected")
        } else if let pkg, BundleIdentifier(pkg) == nil {
            report("pkg", "notIdentifier", ["text": .text(pkg)])
        }
        entries("rules") { entries, key in
            guard let rule = entries.rule(key, of: read, converters) else { return }
            if let other = read.rules.first(where: { rule.pattern.isSame(as: $0.pattern) }) {
                entries.report(key, "sameAddresses", ["pattern": .text(other.pattern.text)])
            }
            read.rules.append(rule)
        }
        if let pattern = try? RoutePattern(read.uri),
            !read.rules.contains(where: { $0.pattern.canonicalKeys.contains(pattern.canonicalKeys[0]) })
        {
            read.entry = ComposedRule(
                pattern: pattern, owner: read.pkg, page: ("", nil), parameters: [], converters: converters)
        }
        return read
    }

    /// Reads a rule, which is either the name of a page or an object.
    private func rule(
        _ key: String, of member: ComposedRoutes.Member, _ converters: RouteConverters
    ) -> ComposedRule? {
        var (page, exposure, guards) = (value(key, ifOf: String.self), nil as Exposure?, [String]())
        var priority = 0
        if page == nil {
            page = object(key, or: "stringOrObjectExpected") { fields in
                let page = fields.text("page", isRequired: true)
                (exposure, guards) = (fields.choice("exposure"), fields.guards())
                priority = fields.value("priority") ?? 0
                return page
            }.flatMap(\.self)
        }
        guard let page else { return nil }
        do {
            let address = try ResourceURI(page)
            guard let target = ComposedRule.page(address) else {
                report(key, "notPage", ["text": .text(page)])
                return nil
            }
            guard Self.isSegment(member.uri) else { return nil }
            // Other systems write "/xib" for an address below that of the bundle.
            let path = ([member.uri] + key.split(separator: "/").map(String.init)).joined(separator: "/")
            return ComposedRule(
                pattern: try RoutePattern(path, converters: converters), owner: member.pkg, page: target,
                parameters: address.parameters, converters: converters, exposure: exposure, guards: guards,
                priority: priority)
        } catch {
            problems.add(place(of: key), error.reason ?? .error(error))
            return nil
        }
    }

    private static func isSegment(_ text: String) -> Bool {
        guard let expansions = try? RoutePattern(text).expansions, expansions.count == 1 else { return false }
        return expansions[0].scheme == nil && expansions[0].path.count == 1 && expansions[0].fragment == nil
            && !expansions[0].firstSegment.isEmpty
    }
}

extension ComposedRule {
    /// Parses the page in the value of a rule, without its query.
    fileprivate static func page(_ address: ResourceURI) -> Page? {
        let segments = address.segments
        guard address.scheme == nil, segments.count <= 2 else { return nil }
        if segments.count < 2 { return (segments.first ?? "", nil) }
        return segments.contains("") ? nil : (segments[1], segments.joined(separator: "/"))
    }
}

extension ManifestFields {
    /// Reads a file of an app, and reports every problem at once, each with its path.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for errors.
    ///   - code: the code of the error.
    ///   - tooNew: the reason for an unknown format version, with which the rest of the file cannot be validated.
    static func read<Document>(
        _ bytes: [UInt8], of name: String, _ code: AtriumError.Code, tooNew: String,
        _ body: (ManifestFields) -> Document
    ) throws(AtriumError) -> Document {
        let problems = ManifestProblems()
        var version: Double?
        let document: Document
        do {
            document = try read(bytes, reporting: problems) { fields in
                version = fields.value("formatVersion", isRequired: true)
                return body(fields)
            }
        } catch let error as JSONError {
            throw AtriumError(code, name, reason: .finding(error))
        } catch {
            throw AtriumError(code, name, problems: [ErrorReason("objectExpected")])
        }
        if let version, version != 1 {
            throw AtriumError(code, name, problems: [.at("formatVersion", ErrorReason(tooNew, ["expected": 1]))])
        }
        guard problems.all.isEmpty else { throw AtriumError(code, name, problems: problems.all) }
        return document
    }
}
