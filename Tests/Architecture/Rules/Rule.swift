import Testing

/// One law of the house.
struct Rule: Sendable, CustomTestStringConvertible {
    /// Ends the sentence "In this house, ...".
    let name: String
    private let judge: @Sendable (House) -> [Finding]

    init(_ name: String, judge: @escaping @Sendable (House) -> [Finding]) {
        self.name = name
        self.judge = judge
    }

    func violations(in house: House) -> [Violation] {
        judge(house).map { Violation(rule: name, finding: $0) }
    }

    var testDescription: String { name }

    static let all = [
        arrows, pluginsApart, linkedLibraries, bareInterfaces, settings, linkage, localPackages, oneDoor, oneReader,
        lightStart,
        noTraps, reasons,
        topLevel, documentation,
    ]
}

/// Something that a rule forbids, and where it is.
struct Finding: Sendable {
    /// From the repository's root.
    let file: String
    let line: Int
    /// What was found and what is allowed.
    let message: String
}

struct Violation: Sendable, CustomStringConvertible {
    let rule: String
    let finding: Finding

    var description: String { "\(finding.file):\(finding.line): \(finding.message) [\(rule)]" }
}
