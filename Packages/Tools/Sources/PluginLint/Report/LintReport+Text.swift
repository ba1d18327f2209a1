package import Console

extension LintReport {
    /// Renders the findings, grouped by rule, each group with its remedy.
    package func text(for terminal: Terminal) -> String {
        findings.map { group in
            let style: TextStyle = group.rule.severity == .error ? .red : .yellow
            let title =
                terminal.styled(group.rule.severity.rawValue, style) + " \(group.rule.code): \(group.rule.summary)\n"
            let lines = group.problems.map { problem in
                let breaks = problem.breaks.isEmpty ? "" : "; breaks \(problem.breaks.joined(separator: ", "))"
                return "  - \(printable("\(problem.place): \(problem.what)\(breaks)"))\n"
            }
            return title + lines.joined() + "  remedy: \(group.rule.remedy)\n"
        }.joined()
    }

    /// The numbers of findings in words.
    package var counts: String {
        let silent = silenced.reduce(0) { $0 + $1.problems.count }
        let numbers =
            [count(errors, "error"), count(warnings, "warning")] + (silent == 0 ? [] : ["\(silent) silenced"])
        return numbers.joined(separator: ", ")
    }

    private func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

    /// The findings as members of a JSON document.
    package var members: [(String, JSONText)] {
        func list(_ groups: [Group]) -> JSONText {
            .array(
                groups.flatMap { group in
                    group.problems.map { problem -> JSONText in
                        var members: [(String, JSONText)] = [
                            ("code", .string(group.rule.code)), ("severity", .string(group.rule.severity.rawValue)),
                            ("place", .string(problem.place)), ("what", .string(problem.what)),
                            ("remedy", .string(group.rule.remedy)), ("breaks", .strings(problem.breaks)),
                        ]
                        if let reason = reason(for: group.rule) { members.append(("reason", .string(reason))) }
                        return .object(members)
                    }
                })
        }
        return [
            ("errors", .integer(errors)), ("warnings", .integer(warnings)), ("findings", list(findings)),
            ("silenced", list(silenced)),
        ]
    }
}
