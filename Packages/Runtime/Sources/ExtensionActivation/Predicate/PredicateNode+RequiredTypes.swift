internal import PluginCore

extension PredicateNode {
    /// The types of which the input has at least one if the clause holds, or nil if it can hold without any.
    ///
    /// This is true for inputs whose items have attachments with types (``ActivationInput/lookupTypes``). A negation requires nothing.
    var requiredTypes: Set<ContentType>? {
        switch kind {
        case .constant(let value): return value ? nil : []
        case .not: return nil
        case .and(let nodes):
            // Each part is required, and the one with the fewest types rejects the most.
            return nodes.compactMap(\.requiredTypes).min { $0.count < $1.count }
        case .or(let nodes):
            var all: Set<ContentType> = []
            for node in nodes {
                guard let types = node.requiredTypes else { return nil }
                all.formUnion(types)
            }
            return all
        case .types(let types, let typeOperator, let type):
            if case .quantified(.none, _) = types { return nil }
            return typeOperator == .differs ? nil : [type]
        case .counts(let left, let comparison, let right):
            return left.requiredTypes(if: comparison, right) ?? right.requiredTypes(if: comparison.reversed, left)
        }
    }
}

extension PredicateCount {
    /// Returns the types that are required if a comparison means that a subquery has a result.
    fileprivate func requiredTypes(if comparison: PredicateComparison, _ other: PredicateCount) -> Set<ContentType>? {
        guard case .count(.subquery(let collection, _, let condition)) = self else { return nil }
        let hasResult =
            switch comparison {
            case .equal, .greaterOrEqual: other.minimum > 0
            case .greater: true
            case .unequal: other.maximum == 0
            case .less, .lessOrEqual: false
            }
        guard hasResult else { return nil }
        return condition.requiredTypes ?? collection.requiredTypes
    }

    /// The lowest value that the count can have.
    private var minimum: Int {
        switch self {
        case .number(let number): number
        case .count(.subquery): 0
        case .count: 1
        }
    }

    /// The only value that the count can have, or the highest number.
    private var maximum: Int {
        if case .number(let number) = self { number } else { .max }
    }
}

extension PredicateCollection {
    /// The types that are required if the collection has an element.
    fileprivate var requiredTypes: Set<ContentType>? {
        guard case .subquery(let collection, _, let condition) = self else { return nil }
        return condition.requiredTypes ?? collection.requiredTypes
    }
}
