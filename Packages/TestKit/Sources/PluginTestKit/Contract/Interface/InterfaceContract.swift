public import PluginCore
internal import PluginRouter

/// A check that a plugin's manifest declares everything that the facades of its Interface call, request and open.
///
/// The check reads the sources of the Interface, so a test does not have to list the facades:
///
/// ```swift
/// #expect(try InterfaceContract(PluginFolder()).problems() == [])
/// ```
///
/// A facade must name its action and target explicitly, as in `perform("price", on: ShopNames.target)`: by string literals or by constants
/// of the same Interface. ``ManifestContract`` checks the targets that the plugin actually provides.
public struct InterfaceContract: Sendable {
    private let plugin: PluginFolder
    private let manifest: Manifest

    /// Creates a check for the plugin in a folder.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid`.
    public init(_ plugin: PluginFolder) throws(AtriumError) {
        self.init(plugin, manifest: try plugin.manifest())
    }

    /// Creates a check against another manifest.
    public init(_ plugin: PluginFolder, manifest: Manifest) {
        self.plugin = plugin
        self.manifest = manifest
    }

    /// Returns all problems, one line each, with file and line.
    ///
    /// These are calls, requests and addresses that are not declared, code that cannot be analyzed, and actions with the exposure `plugins`
    /// without a facade. Internal and external actions need no facade.
    ///
    /// - Parameter patterns: The routes that the plugin registers in code, which its manifest need not declare.
    /// - Throws: The errors of reading the files.
    public func problems(registered patterns: Set<String> = []) throws -> [String] {
        let source = try InterfaceSource(plugin)
        var problems: [String] = []
        var called: Set<String> = []
        for call in source.calls {
            switch call.function {
            case "perform": problems += performProblems(of: call, in: source, called: &called)
            case "service": problems += serviceProblems(of: call, in: source)
            case "open": problems += openProblems(of: call, in: source, kinds: [.page, .handler])
            case "object": problems += openProblems(of: call, in: source, kinds: [.object])
            case "RouteContract": problems += routeProblems(of: call, in: source, registered: patterns)
            default: break
            }
        }
        for text in source.texts { problems += addressProblems(of: text) }
        return problems + facadeProblems(called: called)
    }

    private func performProblems(
        of call: InterfaceSource.Call, in source: InterfaceSource, called: inout Set<String>
    ) -> [String] {
        guard let first = call[nil] else { return [] }
        guard let on = call["on"] else {
            // A call by address must contain the address as a literal.
            guard let text = first.lazy.compactMap(\.literal).first, let uri = try? ResourceURI(text),
                uri.segments.count == 2
            else { return ["\(call.place): what it performs cannot be read"] }
            let target = manifest.targets.first { $0.name.lowercased() == uri.segments[0].lowercased() }
            return problems(of: uri.segments[1], on: target?.name ?? uri.segments[0], call, &called)
        }
        guard case .text(let action)? = source.constant(first, in: call.type) else {
            return ["\(call.place): the action cannot be read; write it out or name a constant"]
        }
        guard case .text(let target)? = source.constant(on, in: call.type) else {
            return ["\(call.place): the target cannot be read; write it out or name a constant"]
        }
        return problems(of: action, on: target, call, &called)
    }

    private func problems(
        of action: String, on target: String, _ call: InterfaceSource.Call, _ called: inout Set<String>
    ) -> [String] {
        called.insert("\(target).\(action)")
        guard let declared = manifest.targets.first(where: { $0.name == target }) else {
            return ["\(call.place): target \(target) is called and not declared"]
        }
        guard declared.actions.contains(where: { $0.name == action }) else {
            let nearest = Nearest.words(to: action, in: declared.actions.map(\.name)).first
            return [
                "\(call.place): action \(target).\(action) is called and not declared"
                    + (nearest.map { "; did you mean \($0)?" } ?? "")
            ]
        }
        return []
    }

    private func serviceProblems(of call: InterfaceSource.Call, in source: InterfaceSource) -> [String] {
        guard let name = call["named"] ?? call[nil] else { return [] }
        guard case .text(let service)? = source.constant(name, in: call.type) else {
            return ["\(call.place): the service cannot be read; write it out or name a constant"]
        }
        if manifest.services.contains(service) { return [] }
        return ["\(call.place): service \(service) is asked for and not declared"]
    }

    private func openProblems(
        of call: InterfaceSource.Call, in source: InterfaceSource, kinds: Set<RouteKind>
    ) -> [String] {
        guard let address = call["for"] ?? call[nil] else { return [] }
        // An interpolated literal, alone, as `ResourceURI("...")` or as the result of a function in these sources, is checked where the
        // literal itself occurs.
        if address.contains(where: { if case .text = $0.kind { true } else { false } }) { return [] }
        if address.contains(where: { $0.isSymbol("(") }),
            address.contains(where: { $0.word.map(source.functions.contains) ?? false })
        {
            return []
        }
        switch source.constant(address, in: call.type) {
        case .text(let text):
            guard let route = try? manifest.requests(at: text).first?.route, !kinds.contains(route.kind) else {
                return []
            }
            return ["\(call.place): \(text) is of a route that is declared as \(route.kind.rawValue)"]
        case .route: return []
        case nil: return ["\(call.place): the address cannot be read; write it out or name a constant"]
        }
    }

    private func routeProblems(
        of call: InterfaceSource.Call, in source: InterfaceSource, registered patterns: Set<String>
    ) -> [String] {
        let positional = call.arguments.filter { $0.label == nil }.map(\.tokens)
        guard let first = positional.first, case .text(let pattern)? = source.constant(first, in: call.type) else {
            return ["\(call.place): the pattern cannot be read; write it out or name a constant"]
        }
        if patterns.contains(pattern) { return [] }
        guard let route = manifest.routes.first(where: { $0.pattern == pattern }) else {
            let nearest = Nearest.words(to: pattern, in: manifest.routes.map(\.pattern)).first
            return [
                "\(call.place): route \(pattern) is not declared" + (nearest.map { "; did you mean \($0)?" } ?? "")
            ]
        }
        guard positional.count > 1, let kind = positional[1].last?.word, kind != route.kind.rawValue else { return [] }
        return ["\(call.place): route \(pattern) is declared as \(route.kind.rawValue), not as \(kind)"]
    }

    private func addressProblems(of text: InterfaceSource.Text) -> [String] {
        let shown = text.pieces.joined(separator: "\\(...)")
        guard let scheme = shown.firstRange(of: "://"), !scheme.isEmpty,
            shown.prefix(upTo: scheme.lowerBound).allSatisfy(\.isLetter),
            shown.startIndex < scheme.lowerBound
        else { return [] }
        // An interpolated value may be of any type that a capture can have.
        let samples = ["1", "true", "text", "00000000-0000-4000-8000-000000000000"]
        for sample in samples {
            let address = text.pieces.joined(separator: sample)
            if let requests = try? manifest.requests(at: address), !requests.isEmpty { return [] }
            if let uri = try? ResourceURI(address), uri.segments.count == 2,
                manifest.targets.contains(where: { $0.name.lowercased() == uri.segments[0].lowercased() })
            {
                return []
            }
        }
        return ["\(text.place): no route takes \(shown)"]
    }

    private func facadeProblems(called: Set<String>) -> [String] {
        manifest.targets.flatMap { target in
            target.actions.filter { $0.exposure == .plugins }.map { "\(target.name).\($0.name)" }
        }.filter { !called.contains($0) }.map { "action \($0) is for plugins and has no facade" }
    }
}
