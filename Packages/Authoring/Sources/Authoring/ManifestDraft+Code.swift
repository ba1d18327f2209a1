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
        completeRoutes(code.routes, &additions, problems)
        completeTargets(code.targets, &additions, problems)
        for (index, name) in services.enumerated() where !code.services.contains(name) {
            problems.addUnbound("services[\(index)]", name, "service", bound: code.services)
        }
        additions.services = code.services.filter { !services.contains($0) }
        services += additions.services
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

    /// Adds the points that the code declares, and returns the identifiers of those that the file lacks, or of which it has a part.
    private mutating func completeExtensionPoints(
        _ bound: [ExtensionPointDeclaration], _ problems: ManifestProblems
    ) -> [String] {
        var added: [String] = []
        for (index, point) in extensionPoints.enumerated() {
            guard let identifier = point.identifier else { continue }
            guard let code = bound.first(where: { $0.identifier == identifier }) else {
                problems.addUnbound(
                    "extensionPoints[\(index)]", identifier, "extension point", bound: bound.map(\.identifier))
                continue
            }
            let coded = LoweredLimits(code.limits)
            for (name, written) in point.limits.values {
                guard let inCode = coded.values.first(where: { $0.name == name })?.value else { continue }
                problems.compare(
                    "extensionPoints[\(index)].limits.\(name)", LoweredLimits.text(written), LoweredLimits.text(inCode))
            }
            guard ExtensionLimits(point.limits) != code.limits else { continue }
            extensionPoints[index].limits = LoweredLimits(code.limits, changedFrom: ExtensionLimits())
            added.append(identifier)
        }
        let written = extensionPoints.compactMap(\.identifier)
        for code in bound where !written.contains(code.identifier) {
            extensionPoints.append(Point(code))
            added.append(code.identifier)
        }
        return added
    }

    private mutating func completeRoutes(
        _ bound: [RouteDeclaration], _ additions: inout ManifestAdditions, _ problems: ManifestProblems
    ) {
        let byPattern = Dictionary(bound.map { ($0.pattern, $0) }) { first, _ in first }
        for (index, route) in routes.enumerated() {
            routes[index].place = "routes[\(index)]"
            guard let pattern = route.pattern else { continue }
            if let code = byPattern[pattern] {
                if routes[index].complete(with: code, at: "routes[\(index)]", problems) {
                    additions.routes.append(pattern)
                }
            } else if route.layout == nil {
                problems.addUnbound("routes[\(index)]", pattern, "route", bound: bound.map(\.pattern))
            }
        }
        let written = Dictionary(grouping: routes) { $0.pattern }
        let ofCode = bound.flatMap { written[$0.pattern] ?? [Route($0)] }
        additions.routes += bound.map(\.pattern).filter { written[$0] == nil }
        if !additions.routes.isEmpty {
            routes = ofCode + routes.filter { $0.pattern.flatMap { byPattern[$0] } == nil }
        }
    }

    private mutating func completeTargets(
        _ bound: [TargetDeclaration], _ additions: inout ManifestAdditions, _ problems: ManifestProblems
    ) {
        for (index, target) in targets.enumerated() {
            guard let name = target.name else { continue }
            let actions = bound.first { $0.name == name }?.actions.map(\.name) ?? []
            let written = target.actions.compactMap(\.name)
            for (position, action) in written.enumerated() where !actions.contains(action) {
                problems.addUnbound(
                    "targets[\(index)].actions[\(position)]", "\(name).\(action)", "action",
                    bound: actions.map { "\(name).\($0)" })
            }
            for action in actions where !written.contains(action) {
                targets[index].actions.append(Action(codeOf: name, action))
                additions.actions.append("\(name).\(action)")
            }
        }
        let written = targets.compactMap(\.name)
        for code in bound where !written.contains(code.name) {
            targets.append(Target(code))
            let actions = code.actions.map { "\(code.name).\($0.name)" }
            additions.actions += actions.isEmpty ? [code.name] : actions
        }
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
        limits = LoweredLimits(code.limits, changedFrom: ExtensionLimits())
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

    fileprivate func addUnbound(_ place: String, _ written: String, _ what: String, bound: [String]) {
        let nearest = isFull ? nil : Nearest.words(to: written, in: bound).first
        var values: [String: ErrorReason.Value] = ["written": .text(written), "what": .text(what)]
        if let nearest { values["nearest"] = .text(nearest) }
        add(place, nearest == nil ? "unbound" : "unboundMisspelled", values)
    }
}
