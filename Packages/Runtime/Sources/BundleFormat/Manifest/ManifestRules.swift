import PluginCore
package import PluginRouter

/// Validates a decoded manifest: each field alone, and the fields together.
package struct ManifestRules {
    package let problems: ManifestProblems
    /// The types that a pattern's captures may have.
    let converters: RouteConverters
    /// `true` if the manifest lacks the declarations of the bundle's code, so that a route need not have a kind and a name.
    var lacksCode = false
    /// `true` if the manifest lacks the declarations of the extensions' code, so that an extension need not have a point.
    var lacksExtensionCode = false

    package init(
        problems: ManifestProblems, converters: RouteConverters, lacksCode: Bool = false,
        lacksExtensionCode: Bool = false
    ) {
        self.problems = problems
        self.converters = converters
        self.lacksCode = lacksCode
        self.lacksExtensionCode = lacksExtensionCode
    }

    /// Returns the manifest, which is valid only if no problem was reported.
    ///
    /// - Returns: `nil` when an essential field is missing or invalid.
    func validate(_ draft: ManifestDraft) -> Manifest? {
        if let format = draft.formatVersion, format != ManifestReader.formatVersion {
            problems.add("formatVersion", .format(format, newest: ManifestReader.formatVersion))
        }
        let identifier = read(draft.identifier, at: "identifier", "notIdentifier") { BundleIdentifier($0) }
        let version = read(draft.version, at: "version", "notVersion") { SemanticVersion($0) }
        if version != nil, let text = draft.version {
            requireLength(of: text, atMost: ManifestLimits.version, at: "version")
        }
        let kind: BundleKind? = oneOf(draft.kind, at: "kind")
        if draft.name?.isEmpty == true { problems.add("name", "empty") }
        code(draft, kind: kind)
        if kind == .lib { offersNothing(draft) }
        let requirements = draft.requires.enumerated().compactMap { requirement($1, at: $0) }
        var expansions = 0
        let served = draft.routes.enumerated().compactMap { route($1, at: $0, draft.kind, &expansions) }
        let routes = served.map(\.route)
        let targets = draft.targets.enumerated().compactMap { target($1, at: $0) }
        uniqueCanonicalKeys(of: served.map(\.pattern))
        repeated(draft.targets.compactMap(\.name), in: "targets", "targetTwice")
        services(draft.services)
        repeated(draft.requires.compactMap(\.bundle), in: "requires", "bundleTwice")
        for (index, requirement) in draft.requires.enumerated()
        where requirement.bundle != nil && requirement.bundle == draft.identifier {
            problems.add("requires[\(index)].bundle", "selfRequirement")
        }
        for (index, group) in draft.appGroups.enumerated() where !BundleIdentifier.isValid(group) {
            problems.add("appGroups[\(index)]", "notReverseDomain", ["text": .text(group)])
        }
        requireApp(draft, kind: kind)
        let points = extensionPoints(draft.extensionPoints, of: identifier)
        let extensions = extensions(draft, of: identifier)
        let permissions = permissions(draft.permissions)
        let isolation = isolation(draft.isolation)
        publication(draft)
        guard let identifier, let version, let kind, let name = draft.name else { return nil }
        return Manifest(
            identity: BundleIdentity(identifier: identifier, version: version), name: name,
            summary: draft.summary ?? "", kind: kind, entry: draft.entry,
            coreABI: draft.coreABI.flatMap { UInt32(exactly: $0) } ?? 0, requirements: requirements,
            appGroups: draft.appGroups, routes: routes, targets: targets, services: draft.services,
            extensions: extensions, extensionPoints: points, permissions: permissions, isolation: isolation,
            dataVersion: number(draft.dataVersion, "dataVersion", ManifestLimits.dataVersion) ?? 0,
            dataCopyLimit: number(draft.dataCopyLimit, "dataCopyLimit", .max).map { UInt64($0) }
                ?? Manifest.defaultDataCopyLimit,
            license: draft.license, homepage: draft.homepage
        )
    }

    /// Returns whether a text is a letter followed by letters, digits and underscores, all in ASCII.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == "_")
        }
    }
}

extension ManifestRules {
    /// Reads a text, and reports with a reason that it has another form.
    func read<Value>(
        _ text: String?, at place: String, _ reason: String, _ value: (String) -> Value?
    ) -> Value? {
        guard let text else { return nil }
        let value = value(text)
        if value == nil { problems.add(place, reason, ["text": .text(text)]) }
        return value
    }

    /// Reads one of a few words, and reports any other with all of them.
    private func oneOf<Value: RawRepresentable<String> & CaseIterable>(_ text: String?, at place: String) -> Value? {
        guard let text else { return nil }
        let value = Value(rawValue: text)
        if value == nil {
            problems.add(
                place, "valueUnknown", ["text": .text(text), "known": .list(Value.allCases.map(\.rawValue))])
        }
        return value
    }

    /// Reports a text with more bytes than a limit, and returns whether it has no more.
    @discardableResult
    func requireLength(of text: String, atMost limit: Int, at place: String) -> Bool {
        if text.utf8.count <= limit { return true }
        problems.add(place, "tooLong", ["limit": .integer(limit)])
        return false
    }

    private func number(_ number: Int?, _ field: String, _ limit: Int) -> Int? {
        guard let number, !(0...limit).contains(number) else { return number }
        problems.add(field, "numberOutside", ["number": .integer(number), "limit": .integer(limit)])
        return nil
    }

    private func code(_ draft: ManifestDraft, kind: BundleKind?) {
        if let abi = draft.coreABI, UInt32(exactly: abi) == nil {
            problems.add("coreABI", "notABIVersion", ["abi": .integer(abi)])
        }
        guard kind != .assets else {
            if draft.entry != nil { problems.add("entry", "assetsWithCode") }
            return
        }
        if draft.coreABI == nil, kind != nil, !problems.has("coreABI") {
            problems.add("coreABI", "coreABIMissing")
        }
        guard let entry = draft.entry else {
            guard kind != nil, !problems.has("entry") else { return }
            return problems.add("entry", "entryMissing")
        }
        requireLibraryName(entry, at: "entry")
    }

    func requireLibraryName(_ entry: String, at place: String) {
        // Only characters that file systems, the loader and `String` treat alike.
        let isFileName =
            entry.utf8.count <= 255
            && entry.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || "._+-".unicodeScalars.contains($0))
            }
        if !isFileName || !entry.hasPrefix("lib") || !entry.hasSuffix(".so") {
            problems.add(place, "notLibraryName", ["text": .text(entry)])
        }
    }

    /// Reports everything that needs a principal object, which a library doesn't have; a page that only has a layout needs none.
    private func offersNothing(_ draft: ManifestDraft) {
        for (index, route) in draft.routes.enumerated() where route.layout == nil {
            problems.add("routes[\(index)]", "routeOfLibrary")
        }
        if !draft.targets.isEmpty { problems.add("targets", "noPrincipalObject") }
        if !draft.services.isEmpty { problems.add("services", "noPrincipalObject") }
    }

    private func requirement(_ draft: ManifestDraft.Requirement, at index: Int) -> BundleRequirement? {
        let place = "requires[\(index)]"
        let identifier = read(draft.bundle, at: "\(place).bundle", "notReverseDomain") { BundleIdentifier($0) }
        guard draft.bundle != nil else { return nil }
        let versions = read(draft.versions, at: "\(place).versions", "notVersionRange") { VersionRange($0) }
        guard let identifier, let versions else { return nil }
        return BundleRequirement(identifier: identifier, versions: versions, isOnDemand: draft.onDemand ?? false)
    }

    /// Validates a route.
    ///
    /// - Parameter expansions: the number of expansions of the routes so far; patterns beyond the limit are not read.
    private func route(
        _ draft: ManifestDraft.Route, at index: Int, _ kind: String?, _ expansions: inout Int
    ) -> (route: RouteDeclaration, pattern: RoutePattern)? {
        let place = draft.place ?? "routes[\(index)]"
        let names = [(RouteKind.page, draft.page), (.handler, draft.handler), (.object, draft.object)]
        let given = names.compactMap { kind, name in name.map { (kind, $0) } }
        let isMisread = ["page", "handler", "object"].contains { problems.has("\(place).\($0)") }
        let isIncomplete = lacksCode && given.isEmpty && draft.layout == nil && kind == BundleKind.app.rawValue
        if given.count != 1, !isMisread, !isIncomplete {
            problems.add(place, "oneKindExpected")
        }
        if given.contains(where: { $0.1.isEmpty }) { problems.add(place, "routeNameEmpty") }
        if let layout = draft.layout {
            if draft.page == nil { problems.add("\(place).layout", "layoutOfNoPage") }
            if layout.split(separator: "/", omittingEmptySubsequences: false).filter({ !$0.isEmpty }).count != 2 {
                problems.add("\(place).layout", "notLayoutName", ["text": .text(layout)])
            }
        }
        for (position, check) in (draft.guards ?? []).enumerated() where !ManifestReader.isGuard(check) {
            problems.add("\(place).guards[\(position)]", "notTargetAction", ["name": .text(check)])
        }
        let exposure: Exposure = oneOf(draft.exposure, at: "\(place).exposure") ?? .plugins
        if let deadline = draft.deadline, !(deadline > 0 && deadline <= ManifestReader.deadlineLimit) {
            problems.add(
                "\(place).deadline", "deadlineInvalid",
                ["deadline": "\(deadline)", "limit": .integer(Int(ManifestReader.deadlineLimit))])
        }
        if draft.mayDecline == true, draft.layout != nil {
            problems.add("\(place).mayDecline", "layoutCannotDecline")
        }
        guard let text = draft.pattern, let pattern = pattern(text, at: place, &expansions),
            let (kind, name) = given.first
        else { return nil }
        let route = RouteDeclaration(
            pattern: text, kind: kind, name: name, layout: draft.layout, guards: draft.guards ?? [],
            priority: draft.priority ?? 0, exposure: exposure, deadline: draft.deadline,
            mayDecline: draft.mayDecline ?? false
        )
        return (route, pattern)
    }

    private func pattern(_ text: String, at place: String, _ expansions: inout Int) -> RoutePattern? {
        guard expansions <= ManifestLimits.expansions else { return nil }
        guard requireLength(of: text, atMost: ManifestLimits.pattern, at: "\(place).pattern") else { return nil }
        do {
            let pattern = try RoutePattern(text, converters: converters)
            expansions += pattern.expansions.count
            guard expansions > ManifestLimits.expansions else { return pattern }
            problems.add("routes", "expansionsTooMany", ["limit": .integer(ManifestLimits.expansions)])
        } catch {
            problems.add(
                "\(place).pattern", "patternFlaw",
                ["pattern": .text(text), "problem": .reason(error.reason ?? .error(error))])
        }
        return nil
    }

    private func target(_ draft: ManifestDraft.Target, at index: Int) -> TargetDeclaration? {
        let place = draft.place ?? "targets[\(index)]"
        let actions = draft.actions.enumerated().compactMap { position, action -> ActionDeclaration? in
            let place = action.place ?? "\(place).actions[\(position)]"
            let exposure: Exposure = oneOf(action.exposure, at: "\(place).exposure") ?? .plugins
            guard let name = action.name else { return nil }
            if !Self.isName(name) { problems.add(place, "notName", ["text": .text(name)]) }
            return ActionDeclaration(name: name, exposure: exposure)
        }
        repeated(actions.map(\.name), in: "\(place).actions", "actionTwice")
        guard let name = draft.name else { return nil }
        if !Self.isName(name) { problems.add("\(place).name", "notName", ["text": .text(name)]) }
        return TargetDeclaration(name: name, actions: actions)
    }

    private func services(_ names: [String]) {
        for (index, name) in names.enumerated() where !Self.isName(name) {
            problems.add("services[\(index)]", "notName", ["text": .text(name)])
        }
        repeated(names, in: "services", "serviceTwice")
    }

    private func uniqueCanonicalKeys(of patterns: [RoutePattern]) {
        var seen: [String: String] = [:]
        for pattern in patterns {
            let canonicalKeys = pattern.canonicalKeys
            if let other = canonicalKeys.lazy.compactMap({ seen[$0] }).first {
                problems.add("routes", "routesMatch", ["other": .text(other), "pattern": .text(pattern.text)])
            }
            for canonicalKey in canonicalKeys { seen[canonicalKey] = pattern.text }
        }
    }

    func repeated(_ names: [String], in place: String, _ reason: String) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            problems.add(place, reason, ["name": .text(name)])
        }
    }
}
