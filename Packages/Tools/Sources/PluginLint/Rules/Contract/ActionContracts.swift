import Console
import PluginCore
import PluginRouter

extension LintRule {
    static let actionRemoved = LintRule(
        "action-removed", .error, "an action of the last published version is missing", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return change.actions.filter { $0.new == nil }.map { name, _, _ in
            Problem("targets", "the action \(quoted(name)) of \(change.version) is missing", breaks: change.broken)
        }
    }

    static let actionRestricted = LintRule(
        "action-restricted", .error, "an action of the last published version is exposed to fewer callers",
        remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return change.actions.compactMap { name, old, new in
            guard let new, !isExposed(new.exposure, like: old.exposure) else { return nil }
            return Problem(
                "targets",
                "the action \(quoted(name)) was exposed to \(callers(old.exposure)) in \(change.version)",
                breaks: change.broken)
        }
    }

    static let parameterRequired = LintRule(
        "parameter-required", .error, "a route or an action requires a parameter that was optional or unknown",
        remedy: "make the parameter optional, or raise the major version (below 1.0.0 the minor version)"
    ) { subject in
        guard let change = ContractChange(subject), let old = change.old.inputs, let new = subject.inputs else {
            return []
        }
        return new.flatMap { input -> [Problem] in
            guard let before = old.first(where: { isSame($0, input, in: change) }) else { return [] }
            return input.parameters.filter(\.isRequired).compactMap { parameter in
                let earlier = before.parameters.first { $0.name == parameter.name }
                // The parameters after one that hid them are not known.
                guard earlier?.isRequired == false || earlier == nil && before.isComplete else { return nil }
                let was = earlier == nil ? "had no" : "had an optional"
                return Problem(
                    "code",
                    "\(quoted(input.subject)) requires the parameter \(quoted(parameter.name)), but \(change.version) "
                        + "\(was) parameter of this name", breaks: change.broken)
            }
        }
    }

    /// Returns whether two inputs belong to the same action, or to routes that match the same addresses.
    static func isSame(_ one: InputDeclaration, _ other: InputDeclaration, in change: ContractChange) -> Bool {
        if one.subject == other.subject { return true }
        func keys(_ input: InputDeclaration, _ manifest: Manifest) -> [String] {
            manifest.routes.first { $0.pattern == input.subject }
                .flatMap { RouteCoverage.route($0, of: manifest) }?.pattern.canonicalKeys.sorted() ?? []
        }
        let found = keys(one, change.old.manifest)
        return !found.isEmpty && found == keys(other, change.new)
    }
}
