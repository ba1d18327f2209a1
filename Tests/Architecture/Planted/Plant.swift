import Testing

/// A violation that is planted in the tiny house, and where it must be found.
struct Plant: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let what: String
    let edits: [Edit]
    /// `file:line` of the finding.
    let place: String
    /// What the message says.
    let says: String

    init(_ rule: Rule, _ what: String, _ edits: Edit..., at place: String, says: String) {
        self.rule = rule
        self.what = what
        self.edits = edits
        self.place = place
        self.says = says
    }

    var testDescription: String { what }

    static let all = arrows + plugins + manifests + sources + repository
}
