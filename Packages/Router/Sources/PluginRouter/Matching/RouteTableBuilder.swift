public import PluginCore

/// Collects routes, refuses those that conflict, and freezes the rest into a ``RouteMatcher``.
public struct RouteTableBuilder<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        let pattern: RoutePattern
        let owner: String
        let priority: Int
        let value: Value
    }

    private var entries: [Entry] = []
    private var entriesByShape: [String: Int] = [:]

    /// A table without routes.
    public init() {}

    /// How many routes there are.
    public var count: Int { entries.count }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: which addresses it serves.
    ///   - owner: whose it is, for errors.
    ///   - priority: routes of a higher priority are asked first, however specific. A match costs a step for each priority
    ///     that occurs.
    ///   - value: what a match gives back.
    /// - Throws: ``AtriumError`` with code `routeConflict` when a form of the pattern has the shape of another route's,
    ///   whatever the priorities; the table stays as it was.
    public mutating func add(
        _ pattern: RoutePattern, owner: String, priority: Int = 0, value: Value
    ) throws(AtriumError) {
        for form in pattern.forms {
            guard let known = entriesByShape[form.shape] else { continue }
            let other = entries[known]
            throw .routeConflict(pattern, of: owner, with: other.pattern, of: other.owner, at: form)
        }
        for form in pattern.forms { entriesByShape[form.shape] = entries.count }
        entries.append(Entry(pattern: pattern, owner: owner, priority: priority, value: value))
    }

    /// The routes so far as a matcher; what is added later is not in it.
    public func build() -> RouteMatcher<Value> {
        var builder = RouteTrieBuilder()
        var priority: Int?
        for number in order {
            let entry = entries[number]
            if entry.priority != priority { builder.addRoot() }
            priority = entry.priority
            for (form, shape) in entry.pattern.forms.enumerated() { builder.add(shape, entry: number, form: form) }
        }
        return RouteMatcher(values: entries.map(\.value), index: RouteIndex(entries.map(\.pattern), builder.build()))
    }

    /// The routes of the highest priority first.
    private var order: [Int] {
        guard entries.contains(where: { $0.priority != entries[0].priority }) else { return Array(entries.indices) }
        return entries.indices.sorted { entries[$0].priority > entries[$1].priority }
    }
}

extension AtriumError {
    /// Two patterns of the same shape, with an address that both would serve.
    static func routeConflict(
        _ pattern: RoutePattern, of owner: String, with other: RoutePattern, of otherOwner: String,
        at form: RoutePattern.Form
    ) -> AtriumError {
        return AtriumError(
            .routeConflict, pattern.text,
            detail: "\(owner) and \(otherOwner) (\"\(other.text)\") both serve it, for example \"\(form.example)\""
        )
    }
}
