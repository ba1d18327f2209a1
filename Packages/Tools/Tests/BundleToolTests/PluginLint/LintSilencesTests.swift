import Console
import PluginCore
import PluginLint
import Testing

@Suite("Silenced codes", .tags(.small))
struct LintSilencesTests {
    private func silences(_ text: String) throws -> LintSilences { try LintSilences(Array(text.utf8), of: "lint.json") }

    @Test("A silenced code is listed with its reason, and counts neither as error nor as warning")
    func silenced() throws {
        var subject = try LintFixture.subject()
        subject.resources.icon = nil
        subject.manifest = LintFixture.manifest(license: nil)
        var allowed = try silences(#"{"allow": {"icon-missing": "No icons."}}"#)
        allowed.allow("license-missing")
        let report = LintReport(of: subject, allowing: allowed)
        #expect(report.findings.isEmpty && report.errors == 0 && report.warnings == 0)
        #expect(report.silenced.map { report.reason(for: $0.rule) } == ["No icons.", "--allow"])
        #expect(report.counts == "0 errors, 0 warnings, 2 silenced")
    }

    @Test("A code that finds nothing is a warning where it is silenced")
    func needless() throws {
        var allowed = try silences(#"{"allow": {"icon-missing": "No icons."}}"#)
        allowed.allow("text-unused")
        let report = try LintReport(of: LintFixture.subject(), allowing: allowed)
        #expect(report.findings.map(\.rule.code) == ["silence-unneeded"])
        let found = ["lint.json: nothing is found by \"icon-missing\"", "--allow: nothing is found by \"text-unused\""]
        #expect(report.findings.flatMap(\.problems).map(\.description) == found)
        #expect(report.warnings == 2)
    }

    @Test(
        "A file with another field, an unknown code, an empty reason or another form is an error",
        arguments: [
            (#"{"allow": {}, "deny": {}}"#, "\"deny\": unknown field; expected \"allow\""),
            (
                #"{"allow": {"icon-mising": "x"}}"#,
                "allow: there is no code \"icon-mising\"; did you mean \"icon-missing\"?"
            ),
            (
                #"{"allow": {"icon-missing": " "}}"#,
                "allow.icon-missing: the reason is empty; say why the plugin is right"
            ),
            (#"{"allow": ["icon-missing"]}"#, nil), (#"{"allow": {"a": "b", "a": "c"}}"#, nil), ("[]", nil),
        ])
    func invalid(text: String, problem: String?) throws {
        let error = try #require(throws: CommandError.self) { try silences(text) }
        let problems = error.report.details
        #expect(error.report.subject == "lint.json")
        #expect(problem.map { problems == [$0] } ?? (problems.count == 1), "\(problems)")
        #expect(error.report.code == "lintFileInvalid" && error.exitStatus.rawValue == 65)
    }
}

extension LintRule.Problem {
    fileprivate var description: String { "\(place): \(what)" }
}
