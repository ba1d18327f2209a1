import Testing

/// A violation that is planted in the tiny repository, with the place at which it must be found.
struct PlantedViolation: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let what: String
    let edits: [Edit]
    /// The place of the finding, in the form `file:line`.
    let place: String
    /// The expected part of the message.
    let says: String

    init(_ rule: Rule, _ what: String, _ edits: Edit..., at place: String, says: String) {
        self.rule = rule
        self.what = what
        self.edits = edits
        self.place = place
        self.says = says
    }

    var testDescription: String { what }

    static let all = moduleDependencies + plugins + manifests + sources + texts + repository + pages
}
