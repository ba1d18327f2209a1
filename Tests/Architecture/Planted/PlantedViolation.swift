import Testing

/// A violation that is planted in the tiny repository, with the place at which it must be found.
struct PlantedViolation: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let what: String
    let edits: [Edit]
    /// The place of the finding, in the form `file:line`; without the line in the manifest of a package.
    let place: String
    /// The expected part of the message.
    let says: String

    /// - Parameter place: where it is found; by default where the first edit plants it.
    init(_ rule: Rule, _ what: String, _ edits: Edit..., at place: String? = nil, says: String) {
        (self.rule, self.what, self.edits) = (rule, what, edits)
        self.place = place ?? edits.first?.place ?? ""
        self.says = says
    }

    /// Returns an import at the end of a file, which its module may not have.
    ///
    /// - Parameters:
    ///   - words: the attributes in front of the import.
    ///   - more: what is said after the names of both modules.
    static func imports(
        _ module: String, in path: String, by rule: Rule = .moduleDependencies, after words: String = "",
        says more: String = ""
    ) -> PlantedViolation {
        let folders = path.split(separator: "/").drop { $0 != "Sources" && $0 != "Tests" }
        let name = module.split(separator: " ").last?.prefix { $0 != "." } ?? ""
        let what = "\(folders.dropFirst().first ?? "") imports \(name)"
        return PlantedViolation(rule, what, .append(path, "\(words)import \(module)\n"), says: what + more)
    }

    var testDescription: String { what }

    static let all = moduleDependencies + plugins + manifests + sources + texts + repository + pages
}
