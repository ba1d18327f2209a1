public import PluginCore

/// Collects routes, refuses those that conflict, and freezes the rest into a ``RouteMatcher``.
public struct RouteTableBuilder<Value: Sendable>: Sendable {
    // Side by side, so that a matcher takes over patterns and values as they are.
    private var patterns: [RoutePattern] = []
    private var values: [Value] = []
    private var owners: [String] = []
    private var priorities: [Int] = []
    private var shapes: Set<String> = []

    /// A table without routes.
    public init() {}

    /// How many routes there are.
    public var count: Int { patterns.count }

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
        for form in pattern.forms where shapes.contains(form.shape) {
            guard let other = patterns.firstIndex(where: { $0.shapes.contains(form.shape) }) else { continue }
            throw .routeConflict(pattern, of: owner, with: patterns[other], of: owners[other], at: form)
        }
        for form in pattern.forms { shapes.insert(form.shape) }
        patterns.append(pattern)
        values.append(value)
        owners.append(owner)
        priorities.append(priority)
    }

    /// Takes away all routes of an owner.
    public mutating func removeAll(of owner: String) {
        let kept = owners.indices.filter { owners[$0] != owner }
        guard kept.count < count else { return }
        for index in owners.indices where owners[index] == owner { shapes.subtract(patterns[index].shapes) }
        patterns = kept.map { patterns[$0] }
        values = kept.map { values[$0] }
        priorities = kept.map { priorities[$0] }
        owners = kept.map { owners[$0] }
    }

    /// The routes so far as a matcher; what is added later is not in it.
    public func build() -> RouteMatcher<Value> {
        var builder = RouteTrieBuilder(patterns)
        var priority: Int?
        for number in order {
            if priorities[number] != priority { builder.addRoot() }
            priority = priorities[number]
            for (place, form) in patterns[number].forms.enumerated() { builder.add(form, entry: number, form: place) }
        }
        return RouteMatcher(values: values, index: RouteIndex(patterns, builder.build()))
    }

    /// The routes of the highest priority first.
    private var order: [Int] {
        guard priorities.contains(where: { $0 != priorities[0] }) else { return Array(patterns.indices) }
        return patterns.indices.sorted { priorities[$0] > priorities[$1] }
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
            detail: "\(owner) and \(otherOwner) (\"\(other.text)\") \(form.clash)"
        )
    }
}
