package import Console
import HostSystem
package import PluginCore

/// The findings about a plugin, without those that its author has silenced.
package struct LintReport: Sendable {
    /// The findings of one rule.
    package struct Group: Sendable {
        package let rule: LintRule
        package let problems: [LintRule.Problem]
    }

    /// The findings that count.
    package let findings: [Group]
    /// The findings that were silenced.
    package let silenced: [Group]
    private let silences: LintSilences

    /// Checks a plugin.
    ///
    /// - Parameters:
    ///   - silences: the codes that are silenced, each with the reason.
    ///   - rules: the rules that are checked.
    package init(
        of subject: LintSubject, allowing silences: LintSilences = LintSilences(), rules: [LintRule] = LintRule.all
    ) {
        self.silences = silences
        let found = rules.map { Group(rule: $0, problems: $0.problems(of: subject)) }.filter { !$0.problems.isEmpty }
        silenced = found.filter { silences.reasons[$0.rule.code] != nil }
        let codes = Set(found.map(\.rule.code))
        let needless = silences.reasons.keys.filter { !codes.contains($0) }.sorted().map {
            LintRule.Problem(silences.place(of: $0), "nothing is found by \"\($0)\"")
        }
        var counted = found.filter { silences.reasons[$0.rule.code] == nil }
        if !needless.isEmpty, rules.contains(where: { $0.code == LintRule.silenceUnneeded.code }) {
            counted.append(Group(rule: .silenceUnneeded, problems: needless))
        }
        findings = counted
    }

    /// Returns the reason for which a rule is silenced.
    package func reason(for rule: LintRule) -> String? { silences.reasons[rule.code] }

    /// The number of errors.
    package var errors: Int { count(.error) }
    /// The number of warnings.
    package var warnings: Int { count(.warning) }

    private func count(_ severity: LintRule.Severity) -> Int {
        findings.filter { $0.rule.severity == severity }.reduce(0) { $0 + $1.problems.count }
    }

    /// Renders the findings, grouped by rule, each group with its remedy.
    package func text(for terminal: Terminal) -> String {
        findings.map { group in
            let rule = group.rule
            let severity = terminal.styled(rule.severity.rawValue, rule.severity == .error ? .red : .yellow)
            let lines = group.problems.map { "  - \(printable("\($0.place): \($0.words)"))\n" }
            return "\(severity) \(rule.code): \(rule.summary)\n\(lines.joined())  remedy: \(rule.remedy)\n"
        }.joined()
    }

    /// The numbers of findings in words.
    package var counts: String {
        let silent = silenced.reduce(0) { $0 + $1.problems.count }
        return "\(count(errors, "error")), \(count(warnings, "warning"))" + (silent == 0 ? "" : ", \(silent) silenced")
    }

    private func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

    /// The findings as members of a JSON document.
    package var json: JSONText {
        func list(_ groups: [Group]) -> [JSONText] {
            groups.flatMap { group in
                group.problems.map { problem in
                    let json = JSONText([
                        "code": group.rule.code, "severity": group.rule.severity.rawValue, "place": problem.place,
                        "what": problem.what, "remedy": group.rule.remedy, "breaks": problem.breaks,
                    ])
                    return reason(for: group.rule).map { json + ["reason": $0] } ?? json
                }
            }
        }
        return ["errors": errors, "warnings": warnings, "findings": list(findings), "silenced": list(silenced)]
    }
}

/// The codes that an author has silenced: those of `lint.json`, and those of the command line.
///
/// ```json
/// { "allow": { "icon-missing": "Our catalog shows no icons." } }
/// ```
package struct LintSilences: Sendable {
    /// The name of the file in the plugin's folder.
    package static let fileName = "lint.json"
    /// The size of the largest file that is read, in bytes.
    package static let sizeLimit = 1 << 16

    /// The reasons by code.
    package private(set) var reasons: [String: String] = [:]
    /// The option that silences a code, which is also its reason.
    private static let option = "--allow"

    package init() {}

    /// Returns where a code is silenced.
    func place(of code: String) -> String { reasons[code] == Self.option ? Self.option : Self.fileName }

    /// Adds a code of the command line, which must be that of a rule.
    package mutating func allow(_ code: String) { reasons[code] = Self.option }

    /// Reads a file.
    ///
    /// - Throws: ``CommandError`` for anything but an object with reasons by code.
    package init(_ bytes: [UInt8], of path: FilePath) throws(CommandError) {
        let file: [String: [String: String]]
        do {
            file = try StrictJSON.decode([String: [String: String]].self, from: bytes)
        } catch {
            throw .silencesInvalid(path, ["\(ErrorReason.finding(error))"])
        }
        var problems = file.keys.filter { $0 != "allow" }.sorted().map {
            "\(quoted($0)): unknown field; expected \"allow\""
        }
        reasons = file["allow"] ?? [:]
        for (code, reason) in reasons.sorted(by: { $0.key < $1.key }) {
            if LintRule.named(code) == nil {
                let nearest = Nearest.words(to: code, in: LintRule.all.map(\.code)).first
                problems.append(
                    "allow: there is no code \(quoted(code))" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            if !reason.contains(where: { !$0.isWhitespace }) {
                problems.append("allow.\(printable(code)): the reason is empty; say why the plugin is right")
            }
        }
        guard problems.isEmpty else { throw .silencesInvalid(path, problems) }
    }
}

extension CommandError {
    /// The file with silenced codes is not valid.
    static func silencesInvalid(_ path: FilePath, _ problems: [String]) -> Self {
        Self(.badInput, path, reason: "lintFileInvalid", details: problems)
    }
}
