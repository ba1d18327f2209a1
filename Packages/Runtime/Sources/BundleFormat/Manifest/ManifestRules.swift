import HostSystem
import PluginCore
import PluginRouter

/// The rules of a manifest: of each field alone, and of the fields together.
struct ManifestRules {
    /// The types that a pattern's captures may have.
    let converters: RouteConverters
    /// `true` if the manifest lacks the declarations of the bundle's code, so that a route need not have a kind and a name.
    let lacksCode: Bool

    /// Reads a manifest, which is valid only if no problem is reported.
    ///
    /// - Returns: `nil` when an essential field is missing or invalid.
    func manifest(_ fields: ManifestFields) -> Manifest? {
        if let format: Int = fields.value("formatVersion", isRequired: true), format != ManifestReader.formatVersion {
            fields.problems.add("formatVersion", .format(format, newest: ManifestReader.formatVersion))
        }
        let identifier: BundleIdentifier? = fields.parsed("identifier", isRequired: true, or: "notIdentifier")
        let version: SemanticVersion? = fields.parsed(
            "version", isRequired: true, limit: ManifestLimits.version, or: "notVersion")
        let name = fields.text("name", isRequired: true)
        if name?.isEmpty == true { fields.report("name", "empty") }
        let summary = fields.text("summary")
        let kind: BundleKind? = fields.word("kind", isRequired: true)
        let (entry, coreABI) = code(fields, of: kind)
        let requirements = fields.objects("requires", limit: ManifestLimits.requirements) {
            requirement($0, of: identifier)
        }
        fields.reportRepeated(requirements.map(\.identifier.text), in: "requires", "bundleTwice")
        let appGroups = fields.texts("appGroups", limit: ManifestLimits.appGroups) { group, place in
            if !BundleIdentifier.isValid(group) {
                fields.problems.add(place, "notReverseDomain", ["text": .text(group)])
            }
        }
        let routes = routes(fields, of: kind)
        let targets = fields.objects("targets", limit: ManifestLimits.targets, target)
        fields.reportRepeated(targets.map(\.name), in: "targets", "targetTwice")
        let services = fields.texts("services", limit: ManifestLimits.services) { name, place in
            if !Self.isName(name) { fields.problems.add(place, "notName", ["text": .text(name)]) }
        }
        fields.reportRepeated(services, in: "services", "serviceTwice")
        if kind == .lib {
            if !targets.isEmpty { fields.report("targets", "noPrincipalObject") }
            if !services.isEmpty { fields.report("services", "noPrincipalObject") }
        }
        let layerFields = ManifestReader.layerFields.reduce(into: [:]) { $0[$1] = fields.value($1) as ManifestJSON? }
        let permissions = permissions(fields)
        let isolation: BundleIsolation? = fields.text("isolation").flatMap { known($0, at: "isolation", fields) }
        if let kind, kind != .app {
            if !permissions.isEmpty { fields.report("permissions", "onlyApps", ["kind": .text(kind.rawValue)]) }
            if isolation != nil { fields.report("isolation", "onlyApps", ["kind": .text(kind.rawValue)]) }
        }
        let dataVersion = number(fields, "dataVersion", ManifestLimits.dataVersion)
        let dataCopyLimit = number(fields, "dataCopyLimit", .max)
        let license = fields.text(
            "license", limit: ManifestLimits.license, or: "notLicense", where: LicenseExpression.isValid)
        let homepage = fields.text(
            "homepage", limit: ManifestLimits.homepage, or: "notHomepage", where: Self.isSecureAddress)
        let author = fields.text("author", limit: ManifestLimits.author)
        let description = fields.text("description", limit: ManifestLimits.description)
        guard let identifier, let version, let kind, let name else { return nil }
        return Manifest(
            identity: BundleIdentity(identifier: identifier, version: version), name: name, summary: summary ?? "",
            kind: kind, entry: entry, coreABI: coreABI, requirements: requirements, appGroups: appGroups,
            routes: routes, targets: targets, services: services, layerFields: ManifestJSON.object(layerFields).text,
            permissions: permissions, isolation: isolation ?? .host, dataVersion: dataVersion ?? 0,
            dataCopyLimit: dataCopyLimit.map { UInt64($0) } ?? Manifest.defaultDataCopyLimit, license: license,
            homepage: homepage, author: author, description: description)
    }

    private func number(_ fields: ManifestFields, _ name: String, _ limit: Int) -> Int? {
        let number: Int? = fields.value(name)
        guard let number, !(0...limit).contains(number) else { return number }
        fields.report(name, "numberOutside", ["number": .integer(number), "limit": .integer(limit)])
        return nil
    }

    private func code(_ fields: ManifestFields, of kind: BundleKind?) -> (entry: String?, coreABI: UInt32) {
        let abi: Int? = fields.value("coreABI")
        let coreABI = abi.flatMap { UInt32(exactly: $0) }
        if let abi, coreABI == nil { fields.report("coreABI", "notABIVersion", ["abi": .integer(abi)]) }
        if kind == .assets {
            if fields.text("entry") != nil { fields.report("entry", "assetsWithCode") }
            return (nil, coreABI ?? 0)
        }
        if kind != nil, !fields.contains("coreABI") { fields.report("coreABI", "coreABIMissing") }
        if kind != nil, !fields.contains("entry") { fields.report("entry", "entryMissing") }
        return (fields.text("entry", or: "notLibraryName", where: ManifestReader.isLibraryName), coreABI ?? 0)
    }

    private func requirement(_ fields: ManifestFields, of bundle: BundleIdentifier?) -> BundleRequirement? {
        let identifier: BundleIdentifier? = fields.parsed("bundle", isRequired: true, or: "notReverseDomain")
        let versions: VersionRange? = fields.parsed("versions", isRequired: true, or: "notVersionRange")
        let isOnDemand = fields.value("onDemand") ?? false
        guard let identifier, let versions else { return nil }
        if identifier == bundle { fields.report("bundle", "selfRequirement") }
        return BundleRequirement(identifier: identifier, versions: versions, isOnDemand: isOnDemand)
    }

    private func target(_ fields: ManifestFields) -> TargetDeclaration? {
        let name = fields.text("name", isRequired: true, or: "notName", where: Self.isName)
        // An action is its name alone, or an object with more fields.
        let actions = fields.list(
            "actions", isRequired: true, of: "stringOrObjectExpected", limit: ManifestLimits.actions
        ) { item, place -> ActionDeclaration? in
            let action: ActionDeclaration?
            if let name = try? String(from: item) {
                action = ActionDeclaration(name: name)
            } else {
                action = try fields.object(item, at: place) { fields in
                    let exposure = fields.word("exposure") ?? Exposure.plugins
                    return fields.text("name", isRequired: true).map { ActionDeclaration(name: $0, exposure: exposure) }
                }
            }
            if let action, !Self.isName(action.name) {
                fields.problems.add(place, "notName", ["text": .text(action.name)])
            }
            return action
        }
        fields.reportRepeated(actions.map(\.name), in: "actions", "actionTwice")
        return name.map { TargetDeclaration(name: $0, actions: actions) }
    }

    private func permissions(_ fields: ManifestFields) -> [BundlePermission] {
        var permissions: [BundlePermission] = []
        let names = fields.texts("permissions", limit: ManifestLimits.permissions) { text, place in
            if let permission: BundlePermission = known(text, at: place, fields) { permissions.append(permission) }
        }
        fields.reportRepeated(names, in: "permissions", "nameTwice")
        return permissions
    }

    /// Reads one of a few words, and reports any other with the nearest of them.
    private func known<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, at place: String, _ fields: ManifestFields
    ) -> Word? {
        let word = Word(rawValue: text)
        if word == nil { fields.problems.addUnknown(text, of: Word.allCases.map(\.rawValue), at: place) }
        return word
    }
}

/// The routes, each alone and all together.
extension ManifestRules {
    private typealias ReadRoute = (declaration: RouteDeclaration, pattern: RoutePattern)

    private func routes(_ fields: ManifestFields, of kind: BundleKind?) -> [RouteDeclaration] {
        var expansions = 0
        let routes = fields.objects("routes", limit: ManifestLimits.routes) { route($0, of: kind, &expansions) }
        var seen: [String: String] = [:]
        for pattern in routes.map(\.pattern) {
            let canonicalKeys = pattern.canonicalKeys
            if let other = canonicalKeys.lazy.compactMap({ seen[$0] }).first {
                fields.report("routes", "routesMatch", ["other": .text(other), "pattern": "\(pattern)"])
            }
            for canonicalKey in canonicalKeys { seen[canonicalKey] = pattern.text }
        }
        return routes.map(\.declaration)
    }

    /// Reads a route.
    ///
    /// - Parameter expansions: the number of expansions of the routes so far; patterns beyond the limit are not read.
    private func route(_ fields: ManifestFields, of kind: BundleKind?, _ expansions: inout Int) -> ReadRoute? {
        let pattern = fields.text("pattern", isRequired: true, limit: ManifestLimits.pattern)
        let destinations = RouteKind.allCases.compactMap { kind in fields.text(kind.rawValue).map { (kind, $0) } }
        let layout = fields.text("layout", or: "notLayoutName") { layout in
            layout.split(separator: "/", omittingEmptySubsequences: false).filter { !$0.isEmpty }.count == 2
        }
        let hasLayout = fields.contains("layout")
        let guards = fields.texts("guards", limit: ManifestLimits.guards) { name, place in
            if !ManifestReader.isGuard(name) { fields.problems.add(place, "notTargetAction", ["name": .text(name)]) }
        }
        let priority = fields.value("priority") ?? 0
        let exposure = fields.word("exposure") ?? Exposure.plugins
        let deadline: Double? = fields.value("deadline")
        let mayDecline = fields.value("mayDecline") ?? false
        let kinds = RouteKind.allCases.filter { fields.contains($0.rawValue) }
        let isIncomplete = lacksCode && kinds.isEmpty && !hasLayout && kind == .app
        if kinds.count != 1, !isIncomplete { fields.report("oneKindExpected") }
        if destinations.contains(where: { $0.1.isEmpty }) { fields.report("routeNameEmpty") }
        // A library has no principal object; a page that only has a layout needs none.
        if kind == .lib, !hasLayout { fields.report("routeOfLibrary") }
        if hasLayout, !kinds.contains(.page) { fields.report("layout", "layoutOfNoPage") }
        if hasLayout, mayDecline { fields.report("mayDecline", "layoutCannotDecline") }
        if let deadline, !(deadline > 0 && deadline <= ManifestReader.deadlineLimit) {
            fields.report(
                "deadline", "deadlineInvalid",
                ["deadline": "\(deadline)", "limit": .integer(Int(ManifestReader.deadlineLimit))])
        }
        guard let pattern, let parsed = parsed(pattern, fields, &expansions), let (kind, name) = destinations.first
        else { return nil }
        let declaration = RouteDeclaration(
            pattern: pattern, kind: kind, name: name, layout: layout, guards: guards, priority: priority,
            exposure: exposure, deadline: deadline, mayDecline: mayDecline)
        return (declaration, parsed)
    }

    private func parsed(_ text: String, _ fields: ManifestFields, _ expansions: inout Int) -> RoutePattern? {
        guard expansions <= ManifestLimits.expansions else { return nil }
        do {
            let pattern = try RoutePattern(text, converters: converters)
            expansions += pattern.expansions.count
            guard expansions > ManifestLimits.expansions else { return pattern }
            fields.problems.add("routes", "expansionsTooMany", ["limit": .integer(ManifestLimits.expansions)])
        } catch {
            fields.report(
                "pattern", "patternFlaw",
                ["pattern": .text(text), "problem": .reason(error.reason ?? .error(error))])
        }
        return nil
    }
}

/// The forms of texts.
extension ManifestRules {
    /// Returns whether a text is a letter followed by letters, digits and underscores, all in ASCII.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == "_")
        }
    }

    /// Returns whether a text is an `https` address with a host and without a user's name, which could imitate another host.
    private static func isSecureAddress(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return false }
        let rest = text.unicodeScalars.dropFirst(scheme.unicodeScalars.count)
        let authority = rest.prefix { !"/?#".unicodeScalars.contains($0) }
        return !authority.isEmpty && authority.first != ":" && !authority.contains("@")
            && rest.allSatisfy { "!"..."~" ~= $0 && !"\"<>\\^`{|}".unicodeScalars.contains($0) }
    }
}
