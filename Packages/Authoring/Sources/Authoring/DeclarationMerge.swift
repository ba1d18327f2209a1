import BundleFormat
import HostSystem
import PluginCore
import PluginExtension

/// Adds to an author's manifest what the code declares, and reports where the file says something else.
///
/// A field that has another type than it should is left as it is, because the reader of the result reports it.
struct DeclarationMerge {
    /// The fields of the manifest.
    private(set) var fields: [String: ManifestJSON]
    /// The declarations that the file lacked.
    private(set) var additions = ManifestAdditions()
    let problems = ManifestProblems()

    /// Creates a merge into the fields of a manifest.
    init(_ fields: [String: ManifestJSON]) { self.fields = fields }

    /// Adds everything that the plugin's code declares.
    ///
    /// The routes get the code's order, and those that only the file has come last. A place in a report is still one of the file.
    mutating func add(_ code: BundleDeclarations) {
        for problem in code.problems { problems.add("the code", .verbatim(problem)) }
        addRoutes(code.routes)
        addTargets(code.targets)
        additions.services = problems.complete(
            &fields["services"], at: "services", of: "service", with: code.services.map { ($0, .string($0)) })
    }

    /// Adds the extension points that the plugin's code declares.
    mutating func add(_ points: [ExtensionPointDeclaration]) {
        let names = points.map(\.identifier)
        for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
            problems.add("the code", .verbatim("extension point \(name) is bound twice"))
        }
        additions.extensionPoints = problems.complete(
            &fields["extensionPoints"], at: "extensionPoints", of: "extension point", key: "identifier",
            with: points.map { ($0.identifier, .object($0.fields)) }
        ) { [problems] point, index, place in
            guard let written = (point["limits"] ?? .object([:])).members else { return }
            let bound = points[index]
            for (name, value) in written.sorted(by: { $0.key < $1.key }) {
                guard let inCode = bound.limits.values[name] else { continue }
                let text = value.double.map { ManifestJSON.number($0).text }
                problems.compare("\(place).limits.\(name)", text, ManifestJSON.number(inCode).text)
            }
            point["limits"] =
                bound.fields["limits"]?.members.map { .object(written.merging($0) { own, _ in own }) }
                ?? point["limits"]
        }
    }

    /// Adds the points that the code of the extensions contains, by the extensions' entries.
    mutating func add(_ points: [String: ExtensionPointDeclaration]) {
        guard var extensions = fields["extensions"]?.elements else { return }
        for (index, written) in extensions.enumerated() {
            guard var members = written.members,
                let bound = members["entry"]?.string.flatMap({ points[$0] })?.identifier
            else { continue }
            if let point = members["point"] {
                problems.compare("extensions[\(index)].point", point.string.map { "\"\($0)\"" }, "\"\(bound)\"")
            } else {
                members["point"] = .string(bound)
                extensions[index] = .object(members)
                additions.extensions.append("\(members["identifier"]?.string ?? "") at \(bound)")
            }
        }
        fields["extensions"] = .list(extensions)
    }

    /// Adds the requirements of the bundle.json among the resources of a bundle without code.
    mutating func add(_ members: CompositionMembers) {
        guard fields["kind"]?.string == BundleKind.assets.rawValue,
            var requires = (fields["requires"] ?? .list([])).elements
        else { return }
        for member in members.requirements {
            let (identifier, range) = (member.identifier.text, member.versions.description)
            guard let index = requires.firstIndex(where: { $0.members?["bundle"]?.string == identifier }) else {
                requires.append(.object(["bundle": .string(identifier), "versions": .string(range)]))
                additions.requirements.append(identifier)
                continue
            }
            let written = requires[index].members?["versions"]?.string
            let isOnDemand = requires[index].members?["onDemand"] == .flag(true)
            guard written.flatMap({ VersionRange($0) }) != member.versions || isOnDemand else { continue }
            problems.add(
                "requires[\(index)]", "memberRangeDiffers", ["range": "\(range)", "written": .text(written ?? "-")])
        }
        if !requires.isEmpty { fields["requires"] = .list(requires) }
    }

    /// Adds identifiers to the version, such as `dev.7`.
    mutating func add(prerelease: String) {
        guard let version = fields["version"]?.string else { return }
        fields["version"] = .string("\(version)\(version.contains("-") ? "." : "-")\(prerelease)")
    }

    private mutating func addRoutes(_ bound: [RouteDeclaration]) {
        additions.routes = problems.complete(
            &fields["routes"], at: "routes", of: "route", key: "pattern",
            with: bound.map { ($0.pattern, .object($0.fields)) },
            complete: { [problems] in problems.complete(&$0, with: bound[$1], at: $2) },
            // A layout needs no code.
            mayLackCode: { $0["layout"] != nil })
        guard !additions.routes.isEmpty, let routes = fields["routes"]?.elements else { return }
        let order = Dictionary(bound.enumerated().map { ($1.pattern, $0) }) { first, _ in first }
        let sorted = routes.enumerated().sorted { one, other in
            func position(_ route: ManifestJSON) -> Int {
                route.members?["pattern"]?.string.flatMap { order[$0] } ?? .max
            }
            return (position(one.element), one.offset) < (position(other.element), other.offset)
        }
        fields["routes"] = .list(sorted.map(\.element))
        let names = problems.placeNames
        for (index, route) in sorted.enumerated() {
            let place = "routes[\(route.offset)]"
            problems.placeNames["routes[\(index)]"] = names[place] ?? place
        }
    }

    private mutating func addTargets(_ bound: [TargetDeclaration]) {
        guard var targets = (fields["targets"] ?? .list([])).elements else { return }
        func actions(_ target: TargetDeclaration) -> [(String, ManifestJSON)] {
            target.actions.map { ("\(target.name).\($0.name)", .object(["name": .string($0.name)])) }
        }
        for index in targets.indices {
            guard var target = targets[index].members, let name = target["name"]?.string else { continue }
            let code = bound.first { $0.name == name }
            additions.actions += problems.complete(
                &target["actions"], at: "targets[\(index)].actions", of: "action", key: "name", below: "\(name).",
                with: code.map(actions) ?? [])
            targets[index] = .object(target)
        }
        let written = targets.compactMap { $0.members?["name"]?.string }
        for code in bound where !written.contains(code.name) {
            let place = "the code's target \(code.name)"
            problems.placeNames["targets[\(targets.count)]"] = place
            var target: [String: ManifestJSON] = ["name": .string(code.name), "actions": .list([])]
            let added = problems.complete(
                &target["actions"], at: "\(place).actions", of: "action", with: actions(code))
            targets.append(.object(target))
            additions.actions += added.isEmpty ? [code.name] : added
        }
        if !targets.isEmpty { fields["targets"] = .list(targets) }
    }
}

extension ManifestProblems {
    /// Adds to a list of the file what only the code has, completes what both have, and reports what the code lacks.
    ///
    /// - Parameters:
    ///   - place: the place of the list.
    ///   - what: the kind of its items, in words.
    ///   - key: the field with the name of an item that is an object; an item that is a text is its own name.
    ///   - prefix: the text before the name.
    ///   - bound: what the code has, each with its name.
    ///   - complete: takes what an item lacks from the code's item with an index.
    ///   - mayLackCode: whether an item is complete without code.
    /// - Returns: the names of the items that the file lacks, or of which it has a part.
    fileprivate func complete(
        _ list: inout ManifestJSON?, at place: String, of what: String, key: String = "", below prefix: String = "",
        with bound: [(name: String, item: ManifestJSON)],
        complete: (inout [String: ManifestJSON], Int, String) -> Void = { _, _, _ in },
        mayLackCode: ([String: ManifestJSON]) -> Bool = { _ in false }
    ) -> [String] {
        guard var items = (list ?? .list([])).elements else { return [] }
        let names = bound.map(\.name)
        var (added, written) = ([String](), Set<String>())
        for (index, item) in items.enumerated() {
            guard let name = (item.string ?? item.members?[key]?.string).map({ prefix + $0 }) else { continue }
            written.insert(name)
            var members = item.members ?? [:]
            if let code = names.firstIndex(of: name) {
                complete(&members, code, "\(place)[\(index)]")
                guard item.members != nil, members != item.members else { continue }
                items[index] = .object(members)
                added.append(name)
            } else if !mayLackCode(members) {
                reportUnbound("\(place)[\(index)]", name, what, names)
            }
        }
        for (name, item) in bound where !written.contains(name) {
            let quoted = what == "route" ? "\"\(name)\"" : name
            placeNames["\(place)[\(items.count)]"] = "the code's \(what) \(quoted)"
            items.append(item)
            added.append(name)
        }
        if !items.isEmpty { list = .list(items) }
        return added
    }

    /// Reports a field that the file writes in another way than the code.
    fileprivate func compare(_ place: String, _ written: String?, _ bound: String) {
        guard let written, written != bound else { return }
        add(place, "codeDiffers", ["written": "\(written)", "bound": "\(bound)"])
    }

    private func reportUnbound(_ place: String, _ written: String, _ what: String, _ bound: [String]) {
        let nearest = isFull ? nil : Nearest.words(to: written, in: bound).first
        var values: [String: ErrorReason.Value] = ["written": "\(written)", "what": "\(what)"]
        if let nearest { values["nearest"] = .text(nearest) }
        add(place, nearest == nil ? "unbound" : "unboundMisspelled", values)
    }

    /// Takes what a route lacks from the code, and reports what differs. The exposure is the author's alone.
    fileprivate func complete(_ route: inout [String: ManifestJSON], with code: RouteDeclaration, at place: String) {
        func compare(_ field: String, _ written: String?, _ bound: String) {
            self.compare("\(place).\(field)", written, bound)
        }
        func list(_ words: [String]) -> String { "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
        compare("layout", route["layout"]?.string.map { "\"\($0)\"" }, "a closure")
        var bound = code.fields
        for kind in RouteKind.allCases where route[kind.rawValue] != nil {
            let name = route[kind.rawValue]?.string
            compare(
                kind.rawValue, name.map { "\(kind.rawValue) \"\($0)\"" }, "\(code.kind.rawValue) \"\(code.name)\"")
            bound[code.kind.rawValue] = nil
        }
        compare("guards", route["guards"]?.elements.map { list($0.compactMap(\.string)) }, list(code.guards))
        compare("priority", route["priority"]?.integer.map { "\($0)" }, "\(code.priority)")
        compare(
            "deadline", route["deadline"]?.double.map { "\($0) seconds" },
            code.deadline.map { "\($0) seconds" } ?? "no deadline")
        compare("mayDecline", route["mayDecline"]?.flag.map { "\($0)" }, "\(code.mayDecline)")
        route.merge(bound) { written, _ in written }
    }
}

extension RouteDeclaration {
    /// The fields of the route in a manifest that the code declares, without defaults.
    fileprivate var fields: [String: ManifestJSON] {
        var fields: [String: ManifestJSON] = ["pattern": .string(pattern), kind.rawValue: .string(name)]
        if !guards.isEmpty { fields["guards"] = .list(guards.map { .string($0) }) }
        if priority != 0 { fields["priority"] = .integer(priority) }
        fields["deadline"] = deadline.map { .number($0) }
        if mayDecline { fields["mayDecline"] = .flag(true) }
        return fields
    }
}

extension ExtensionPointDeclaration {
    /// The fields of the point in a manifest, without defaults.
    fileprivate var fields: [String: ManifestJSON] {
        let standard = ExtensionLimits().values
        let limits = limits.values.filter { $1 != standard[$0] }.mapValues { ManifestJSON.number($0) }
        return ["identifier": .string(identifier), "limits": limits.isEmpty ? nil : .object(limits)].compactMapValues(
            \.self)
    }
}

extension ManifestJSON {
    var members: [String: ManifestJSON]? { if case .object(let members) = self { members } else { nil } }
    var elements: [ManifestJSON]? { if case .list(let elements) = self { elements } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    fileprivate var integer: Int? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var double: Double? { if case .number(let number) = self { number } else { integer.map(Double.init) } }
}
