import Testing

/// A rule for the structure of the repository.
struct Rule: Sendable, CustomTestStringConvertible {
    /// The name of the rule, which ends the sentence "In this repository, ...".
    let name: String
    private let check: @Sendable (Repository) -> [Finding]

    init(_ name: String, check: @escaping @Sendable (Repository) -> [Finding]) {
        (self.name, self.check) = (name, check)
    }

    func violations(in repository: Repository) -> [Violation] {
        check(repository).map { Violation(rule: name, finding: $0) }
    }

    var testDescription: String { name }

    static let all = [
        moduleDependencies, pluginsApart, linkedLibraries, bareInterfaces, settings, linkage,
        oneSystemLayer, oneReader, boundedReading, errorSentences, noCommandNames, translations, localizedSentences,
        sizeTags, rootTests, noTraps, reasons, unlockedResumption,
        topLevel, documentation, shortPages, links, names, promises, budgets,
    ]
}

/// A violation of a rule with its place.
struct Finding: Sendable {
    /// The path from the repository's root.
    let file: String
    let line: Int
    /// The description of the violation and of the allowed alternative.
    let message: String
}

/// A file of the repository in which a rule can be violated.
protocol CheckedFile {
    /// The path from the repository's root.
    var path: String { get }
}

extension CheckedFile {
    /// Returns a violation on a line of the file.
    func finding(at line: Int = 1, _ message: String) -> Finding { Finding(file: path, line: line, message: message) }
}

struct Violation: Sendable, CustomStringConvertible {
    let rule: String
    let finding: Finding

    var description: String { "\(finding.file):\(finding.line): \(finding.message) [\(rule)]" }
}
