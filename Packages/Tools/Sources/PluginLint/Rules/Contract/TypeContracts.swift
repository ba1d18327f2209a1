import Console
import PluginCore

extension LintRule {
    static let parameterType = LintRule(
        "parameter-type", .error, "a parameter of a route or an action has another type", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return pairs(subject, change).flatMap { before, input -> [Problem] in
            let old = before.parameters + before.captures
            return (input.parameters + input.captures).compactMap { parameter in
                // The name of a single capture doesn't count.
                let isOnlyCapture = input.captures == [parameter] && before.captures.count == 1
                let earlier = isOnlyCapture ? before.captures.first : old.first { $0.name == parameter.name }
                guard let was = earlier?.shape, let shape = parameter.shape, was != shape else { return nil }
                return Problem(
                    "code",
                    "the parameter \(quoted(parameter.name)) of \(quoted(input.subject)) has the type \(shape), but "
                        + "\(change.version) had \(was)", breaks: change.broken)
            }
        }
    }

    static let resultType = LintRule(
        "result-type", .error, "the result of a route or an action has another type, or lacks a property",
        remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return pairs(subject, change).compactMap { before, input in
            guard let old = before.output, let new = input.output, let loss = loss(from: old, to: new, at: "")
            else { return nil }
            return Problem(
                "code", "the result of \(quoted(input.subject)) \(loss) in \(change.version)", breaks: change.broken)
        }
    }

    static let eventRemoved = LintRule(
        "event-removed", .error, "an event of the last published version is missing", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject), let old = change.old.events, let new = subject.events else {
            return []
        }
        return old.filter { event in !new.contains { $0.name == event.name } }.map {
            Problem("code", "the event \(quoted($0.name)) of \(change.version) is missing", breaks: change.broken)
        }
    }

    static let eventType = LintRule(
        "event-type", .error, "the payload of an event has another type", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject), let old = change.old.events, let new = subject.events else {
            return []
        }
        return new.compactMap { event in
            guard let before = old.first(where: { $0.name == event.name }), before.payload != event.payload else {
                return nil
            }
            return Problem(
                "code",
                "the payload of \(quoted(event.name)) has the type \(event.payload), but \(change.version) had "
                    + before.payload, breaks: change.broken)
        }
    }

    /// Returns the routes and actions of the new version, each with the old one that it replaces.
    private static func pairs(
        _ subject: LintSubject, _ change: ContractChange
    ) -> [(old: InputDeclaration, new: InputDeclaration)] {
        guard let old = change.old.inputs, let new = subject.inputs else { return [] }
        return new.compactMap { input in
            old.first { isSame($0, input, in: change) && change.isPublic($0.subject) }.map { ($0, input) }
        }
    }

    /// Returns what a reader of the old form does not find in the new one, as a clause that ends before the version; `nil` if nothing is lost.
    private static func loss(from old: ValueShape, to new: ValueShape, at place: String) -> String? {
        let subject = place.isEmpty ? "has the type" : "has the property \(quoted(place)) of type"
        switch (old, new) {
        // A caller that expects no result accepts any.
        case (.value("NoValue"), _): return nil
        case (.optional(let old), .optional(let new)), (.list(let old), .list(let new)), (.optional(let old), let new):
            return loss(from: old, to: new, at: place)
        case (.structure(let properties, _), .structure(let others, let isComplete)):
            for property in properties {
                let name = place.isEmpty ? property.name : "\(place).\(property.name)"
                if let other = others.first(where: { $0.name == property.name }) {
                    if let loss = loss(from: property.shape, to: other.shape, at: name) { return loss }
                } else if isComplete, !property.shape.mayBeAbsent {
                    return "lacks the property \(quoted(name)), which it had"
                }
            }
            return nil
        default: return old == new ? nil : "\(subject) \(new), but had \(old)"
        }
    }
}

extension ValueShape {
    fileprivate var mayBeAbsent: Bool { if case .optional = self { true } else { false } }
}
