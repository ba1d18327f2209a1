internal import PluginCore

/// An evaluation of a predicate that ends after a maximum number of steps.
struct PredicateEvaluation {
    struct StepsExceeded: Error {}

    /// An item, attachment or type of the input, by its place.
    struct Element {
        var item: Int
        var attachment = 0
        var type = 0
    }

    let input: ActivationInput
    let text: String
    private var steps = 0
    /// The values of the variables.
    private var variables: [Element] = []
    private var failureCount = 0

    init(_ predicate: ActivationPredicate, _ input: ActivationInput) {
        self.input = input
        text = predicate.text
    }

    mutating func holds(_ node: PredicateNode) throws(StepsExceeded) -> Bool {
        try step()
        switch node.kind {
        case .constant(let value): return value
        case .not(let inner): return try !holds(inner)
        case .and(let nodes):
            for node in nodes where try !holds(node) { return false }
            return true
        case .or(let nodes):
            for node in nodes where try holds(node) { return true }
            return false
        case .counts(let left, let comparison, let right):
            return comparison.holds(try number(left), try number(right))
        case .types(let types, let typeOperator, let type):
            let found = self.types(types)
            try step(found.count)
            switch types {
            case .quantified(.any, _), .single: return found.contains { typeOperator.holds($0, type) }
            case .quantified(.all, _): return found.allSatisfy { typeOperator.holds($0, type) }
            case .quantified(.none, _): return !found.contains { typeOperator.holds($0, type) }
            }
        }
    }

    private mutating func number(_ count: PredicateCount) throws(StepsExceeded) -> Int {
        switch count {
        case .number(let number): number
        case .count(let collection): try elements(collection).count
        }
    }

    private mutating func elements(_ collection: PredicateCollection) throws(StepsExceeded) -> [Element] {
        switch collection {
        case .items:
            try step(input.items.count)
            return input.items.indices.map { Element(item: $0) }
        case .attachments(let variable):
            let item = variables[variable].item
            try step(input.items[item].attachments.count)
            return input.items[item].attachments.indices.map { Element(item: item, attachment: $0) }
        case .types(let variable):
            let element = variables[variable]
            try step(attachment(element).types.count)
            return attachment(element).types.indices.map {
                Element(item: element.item, attachment: element.attachment, type: $0)
            }
        case .subquery(let collection, _, let condition):
            return try elements(collection, where: condition, hold: true)
        }
    }

    /// Returns the elements for which a condition holds, or those for which it does not.
    private mutating func elements(
        _ collection: PredicateCollection, where condition: PredicateNode, hold: Bool
    ) throws(StepsExceeded) -> [Element] {
        var found: [Element] = []
        for element in try elements(collection) {
            variables.append(element)
            defer { variables.removeLast() }
            if try holds(condition) == hold { found.append(element) }
        }
        return found
    }

    private func attachment(_ element: Element) -> ActivationInput.Attachment {
        input.items[element.item].attachments[element.attachment]
    }

    private func types(_ types: PredicateTypes) -> [ContentType] {
        switch types {
        case .quantified(_, let variable): attachment(variables[variable]).types
        case .single(let variable): [attachment(variables[variable]).types[variables[variable].type]]
        }
    }

    private mutating func step(_ count: Int = 1) throws(StepsExceeded) {
        steps += count
        guard steps <= ActivationPredicate.maximumSteps else { throw StepsExceeded() }
    }
}

// The explanation of a clause that is false.
extension PredicateEvaluation {
    /// The maximum number of types that an explanation lists.
    private static let listLimit = 8

    /// Returns the failed clauses of a clause that is false, at least one unless there are already too many.
    mutating func failures(of node: PredicateNode) -> [ActivationFailure] {
        guard failureCount < ActivationPredicate.maximumFailures else { return [] }
        let clause = ErrorReason.Value.text(AtriumError.quote(text.utf8Text(in: node.range)))
        switch node.kind {
        case .and(let nodes):
            var found: [ActivationFailure] = []
            for node in nodes where (try? holds(node)) == false { found += failures(of: node) }
            // The steps of the explanation can be used up.
            return found.isEmpty ? [failure(ErrorReason("clauseFalse", ["clause": clause]), node)] : found
        case .or(let nodes):
            return [failure(ErrorReason("alternativesFalse"), node) { $0.failures(of: nodes) }]
        case .constant, .not:
            return [failure(ErrorReason("clauseFalse", ["clause": clause]), node)]
        case .counts(let left, let comparison, let right):
            guard let leftNumber = try? number(left), let rightNumber = try? number(right) else {
                return [failure(ErrorReason("clauseFalse", ["clause": clause]), node)]
            }
            let reason = ErrorReason(
                "countsFalse", ["clause": clause, "left": .integer(leftNumber), "right": .integer(rightNumber)])
            let isLeftSmall = leftNumber == rightNumber ? comparison != .less : leftNumber < rightNumber
            return [failure(reason, node) { $0.missing(from: isLeftSmall ? left : right) }]
        case .types(let types, _, _):
            let variable =
                switch types {
                case .quantified(_, let variable), .single(let variable): variables[variable]
                }
            let found = self.types(types).prefix(Self.listLimit).map(\.identifier)
            let reason = ErrorReason(
                "typesFalse",
                [
                    "clause": clause, "item": .integer(variable.item + 1),
                    "attachment": .integer(variable.attachment + 1), "types": .list(found),
                ])
            return [failure(reason, node)]
        }
    }

    private mutating func failure(
        _ reason: ErrorReason, _ node: PredicateNode, causes: (inout Self) -> [ActivationFailure] = { _ in [] }
    ) -> ActivationFailure {
        failureCount += 1
        return ActivationFailure(reason, at: node.range, causes: causes(&self))
    }

    private mutating func failures(of nodes: [PredicateNode]) -> [ActivationFailure] {
        var all: [ActivationFailure] = []
        for node in nodes { all += failures(of: node) }
        return all
    }

    /// Returns why elements are missing from a collection whose number is too small.
    private mutating func missing(from count: PredicateCount) -> [ActivationFailure] {
        guard case .count(.subquery(let collection, _, let condition)) = count,
            let missing = try? elements(collection, where: condition, hold: false)
        else { return [] }
        var all: [ActivationFailure] = []
        for element in missing {
            variables.append(element)
            all += failures(of: condition)
            variables.removeLast()
        }
        return all
    }
}

extension String {
    /// Returns the text in a range of bytes that begins and ends at characters.
    fileprivate func utf8Text(in range: Range<Int>) -> Substring {
        let start = utf8.index(startIndex, offsetBy: range.lowerBound)
        return self[start..<utf8.index(start, offsetBy: range.count)]
    }
}
