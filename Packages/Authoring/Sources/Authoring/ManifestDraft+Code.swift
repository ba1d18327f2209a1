import BundleFormat
import PluginCore

extension ManifestDraft {
    /// Adds everything that the code declares, and reports where the file says something else.
    ///
    /// The routes get the code's order, and those that only the file has come last. A place in a report is still one of the file.
    mutating func complete(
        with code: BundleDeclarations, reporting problems: ManifestProblems
    ) -> ManifestAdditions {
        for problem in code.problems { problems.add("the code", .verbatim(problem)) }
        var additions = ManifestAdditions()
        additions.routes = completeRoutes(code.routes, problems)
        additions.actions = completeTargets(code.targets, problems)
        additions.services = problems.complete(
            &services, in: "services", of: "service", with: code.services, name: \.self, codeName: \.self, new: \.self)
        additions.extensionPoints = completeExtensionPoints(code.extensionPoints, problems)
        return additions
    }

    /// Adds the requirements of the bundle.json among the resources, and reports where the file says something else.
    ///
    /// - Returns: the bundles that the file does not require.
    mutating func require(_ members: CompositionMembers, reporting problems: ManifestProblems) -> [String] {
        var added: [String] = []
        for member in members.requirements {
            guard let index = requires.firstIndex(where: { $0.bundle == member.identifier.text }) else {
                requires.append(Requirement(member))
                added.append(member.identifier.text)
                continue
            }
            let range = requires[index].versions.flatMap { VersionRange($0) }
            guard range != member.versions || requires[index].onDemand == true else { continue }
            problems.add(
                "requires[\(index)]", "memberRangeDiffers",
                ["range": "\(member.versions)", "written": .text(requires[index].versions ?? "-")])
        }
        return added
    }

    /// Adds the points that the code of the extensions contains, and reports where the file says something else.
    ///
    /// - Parameter points: the points by the extensions' entries.
    /// - Returns: the extensions that got their point from the code.
    mutating func completeExtensions(
        with points: [String: ExtensionPointDeclaration], reporting problems: ManifestProblems
    ) -> [String] {
        var added: [String] = []
        for (index, written) in extensions.enumerated() {
            guard let bound = written.entry.flatMap({ points[$0] })?.identifier else { continue }
            if let point = written.point {
                problems.compare("extensions[\(index)].point", "\"\(point)\"", "\"\(bound)\"")
            } else if !problems.has("extensions[\(index)].point") {
                extensions[index].point = bound
                added.append("\(written.identifier ?? "") at \(bound)")
            }
        }
        return added
    }

    private mutating func completeExtensionPoints(
        _ bound: [ExtensionPointDeclaration], _ problems: ManifestProblems
    ) -> [String] {
        problems.complete(
            &extensionPoints, in: "extensionPoints", of: "extension point", with: bound, name: \.identifier,
            codeName: \.identifier, new: Point.init
        ) { point, code, place in
            for (name, written) in point.limits.sorted(by: { $0.key < $1.key }) {
                guard let inCode = code.limits.values[name] else { continue }
                problems.compare("\(place).limits.\(name)", ExtensionLimits.text(written), ExtensionLimits.text(inCode))
            }
            guard ExtensionLimits(point.limits) != code.limits else { return false }
            point.limits = code.limits.changedValues
            return true
        }
    }

    private mutating func completeRoutes(_ bound: [RouteDeclaration], _ problems: ManifestProblems) -> [String] {
        for index in routes.indices { routes[index].place = "routes[\(index)]" }
        // A layout needs no code.
        let added = problems.complete(
            &routes, in: "routes", of: "route", with: bound, name: \.pattern, codeName: \.pattern, new: Route.init,
            complete: { $0.complete(with: $1, at: $2, problems) }, mayLackCode: { $0.layout != nil })
        let order = Dictionary(bound.enumerated().map { ($1.pattern, $0) }) { first, _ in first }
        func position(_ route: Route) -> Int { route.pattern.flatMap { order[$0] } ?? .max }
        if !added.isEmpty { routes.sort { position($0) < position($1) } }
        return added
    }

    private mutating func completeTargets(_ bound: [TargetDeclaration], _ problems: ManifestProblems) -> [String] {
        var added: [String] = []
        for index in targets.indices {
            guard let name = targets[index].name else { continue }
            added += problems.complete(
                &targets[index].actions, in: "targets[\(index)].actions", of: "action",
                with: bound.first { $0.name == name }?.actions ?? [], name: { $0.name.map { "\(name).\($0)" } },
                codeName: { "\(name).\($0.name)" }, new: { Action(codeOf: name, $0.name) })
        }
        let written = targets.compactMap(\.name)
        for code in bound where !written.contains(code.name) {
            targets.append(Target(code))
            let actions = code.actions.map { "\(code.name).\($0.name)" }
            added += actions.isEmpty ? [code.name] : actions
        }
        return added
    }
}

extension ManifestDraft.Route {
    fileprivate init(_ code: RouteDeclaration) {
        self.init()
        place = "the code's route \"\(code.pattern)\""
        pattern = code.pattern
        setName(code)
        setAttributes(code)
    }

    /// Takes what it lacks from the code, and reports what differs. Returns whether it lacked anything.
    ///
    /// The exposure is the author's alone.
    fileprivate mutating func complete(
        with code: RouteDeclaration, at place: String, _ problems: ManifestProblems
    ) -> Bool {
        func compare(_ field: String, _ written: String?, _ bound: String) {
            problems.compare("\(place).\(field)", written, bound)
        }
        compare("layout", layout.map { "\"\($0)\"" }, "a closure")
        let before = self
        let names = [(RouteKind.page, page), (.handler, handler), (.object, object)]
        for (kind, name) in names {
            compare(
                kind.rawValue, name.map { "\(kind.rawValue) \"\($0)\"" }, "\(code.kind.rawValue) \"\(code.name)\"")
        }
        compare("guards", guards.map(Self.list), Self.list(code.guards))
        compare("priority", priority.map { "\($0)" }, "\(code.priority)")
        compare("deadline", deadline.map { "\($0) seconds" }, code.deadline.map { "\($0) seconds" } ?? "no deadline")
        compare("mayDecline", mayDecline.map { "\($0)" }, "\(code.mayDecline)")
        if names.allSatisfy({ $0.1 == nil }) { setName(code) }
        setAttributes(code)
        return self != before
    }

    private mutating func setName(_ code: RouteDeclaration) {
        switch code.kind {
        case .page: page = code.name
        case .handler: handler = code.name
        case .object: object = code.name
        }
    }

    /// Takes the attributes that differ from the defaults, unless it has its own.
    private mutating func setAttributes(_ code: RouteDeclaration) {
        if guards == nil, !code.guards.isEmpty { guards = code.guards }
        if priority == nil, code.priority != 0 { priority = code.priority }
        if deadline == nil { deadline = code.deadline }
        if mayDecline == nil, code.mayDecline { mayDecline = true }
    }

    private static func list(_ words: [String]) -> String {
        "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
}

extension ManifestDraft.Target {
    fileprivate init(_ code: TargetDeclaration) {
        self.init()
        place = "the code's target \(code.name)"
        name = code.name
        actions = code.actions.map { ManifestDraft.Action(codeOf: code.name, $0.name) }
    }
}

extension ManifestDraft.Point {
    fileprivate init(_ code: ExtensionPointDeclaration) {
        self.init()
        place = "the code's extension point \(code.identifier)"
        identifier = code.identifier
        limits = code.limits.changedValues
    }
}

extension ManifestDraft.Action {
    fileprivate init(codeOf target: String, _ name: String) {
        self.init()
        place = "the code's action \(target).\(name)"
        self.name = name
    }
}

extension ManifestProblems {
    /// Reports a field that the file writes, and writes in another way than the code.
    fileprivate func compare(_ place: String, _ written: String?, _ bound: String) {
        guard let written, written != bound else { return }
        add(place, "codeDiffers", ["written": .text(written), "bound": .text(bound)])
    }

    /// Adds to a list of the file what only the code has, completes what both have, and reports what the code lacks.
    ///
    /// - Parameters:
    ///   - field: the place of the list.
    ///   - what: the kind of its items, in words.
    ///   - complete: takes what an item lacks from the code, and returns whether it lacked anything.
    ///   - mayLackCode: whether an item is complete without code.
    /// - Returns: the names of the items that the file lacks, or of which it has a part.
    fileprivate func complete<Item, Code>(
        _ items: inout [Item], in field: String, of what: String, with bound: [Code], name: (Item) -> String?,
        codeName: (Code) -> String, new: (Code) -> Item,
        complete: (inout Item, Code, String) -> Bool = { _, _, _ in false },
        mayLackCode: (Item) -> Bool = { _ in false }
    ) -> [String] {
        let names = bound.map(codeName)
        let written = Set(items.compactMap(name))
        var added: [String] = []
        for index in items.indices {
            guard let name = name(items[index]) else { continue }
            if let code = names.firstIndex(of: name) {
                if complete(&items[index], bound[code], "\(field)[\(index)]") { added.append(name) }
            } else if !mayLackCode(items[index]) {
                addUnbound("\(field)[\(index)]", name, what, bound: names)
            }
        }
        let missing = zip(names, bound).filter { !written.contains($0.0) }
        items += missing.map { new($0.1) }
        return added + missing.map(\.0)
    }

    private func addUnbound(_ place: String, _ written: String, _ what: String, bound: [String]) {
        let nearest = isFull ? nil : Nearest.words(to: written, in: bound).first
        var values: [String: ErrorReason.Value] = ["written": .text(written), "what": .text(what)]
        if let nearest { values["nearest"] = .text(nearest) }
        add(place, nearest == nil ? "unbound" : "unboundMisspelled", values)
    }
}
