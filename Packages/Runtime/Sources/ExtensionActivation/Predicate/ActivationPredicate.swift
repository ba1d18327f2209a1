internal import PluginCore

/// A predicate over the items of an input: the subset of NSPredicate's format that Apple documents for extensions.
///
///     predicate  = and *(("OR" | "||") and)            and = not *(("AND" | "&&") not)            not = ("NOT" | "!") not | clause
///     clause     = "TRUEPREDICATE" | "FALSEPREDICATE" | "(" predicate ")" | number operator number | types type-op "identifier"
///     number     = digits | collection ".@count"
///     collection = "extensionItems" | $item ".attachments" | $attachment ".registeredTypeIdentifiers"
///                | "SUBQUERY" "(" collection "," $variable "," predicate ")"
///     types      = ("ANY" | "SOME" | "ALL" | "NONE") $attachment ".registeredTypeIdentifiers" | $type
///     operator   = "=" | "==" | "!=" | "<>" | "<" | "<=" | "=<" | ">" | ">=" | "=>"
///     type-op    = "UTI-CONFORMS-TO" | "UTI-EQUALS" | "=" | "==" | "!=" | "<>"
///
/// The case of keywords does not matter, that of keys and variables does. As in NSPredicate, `ALL` and `NONE` hold for no types.
struct ActivationPredicate: Sendable {
    /// The maximum nesting depth of brackets, subqueries and negations.
    static let maximumDepth = 32
    /// The maximum number of clauses and collections.
    static let maximumParts = 512
    /// The maximum number of steps of an evaluation, each of which visits a clause, an element or a type.
    static let maximumSteps = 100_000
    /// The maximum number of failed clauses in an explanation.
    static let maximumFailures = 32

    let text: String
    let root: PredicateNode

    init(_ text: String) throws(PredicateProblem) {
        self.text = text
        var parser = try PredicateParser(text)
        root = try parser.read()
    }

    /// Returns whether the predicate holds. One that needs too many steps does not.
    func holds(for input: ActivationInput) -> Bool {
        var evaluation = PredicateEvaluation(self, input)
        return (try? evaluation.holds(root)) ?? false
    }

    /// Returns the failed clauses, of which there are none if the predicate holds.
    func failures(for input: ActivationInput) -> [ActivationFailure] {
        var evaluation = PredicateEvaluation(self, input)
        do {
            if try evaluation.holds(root) { return [] }
        } catch {
            let limit = ErrorReason("stepsExceeded", ["limit": .integer(Self.maximumSteps)])
            return [ActivationFailure(limit, at: root.range)]
        }
        var explanation = PredicateEvaluation(self, input)
        return explanation.failures(of: root)
    }
}
