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
        let counted = found.filter { silences.reasons[$0.rule.code] == nil }
        let isWhole = rules.contains { $0.code == LintRule.silenceUnneeded.code }
        findings =
            counted + (needless.isEmpty || !isWhole ? [] : [Group(rule: .silenceUnneeded, problems: needless)])
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
}
