import Console
import Testing

@Suite("Failure reports", .tags(.small))
struct FailureReportTests {
    private let report = FailureReport(
        code: "notInstalled", subject: "shop", message: "\"shop\" is not installed",
        remedy: "run \"hostapp install shop\"")

    @Test("Details precede the remedy, and empty parts are left out")
    func details() {
        var report = report
        report.details = ["one", "two\u{1B}"]
        report.remedy = nil
        #expect(report.text() == "error: \"shop\" is not installed\n  - one\n  - two\\u{1B}\n")
    }

    @Test("The labels are styled on a terminal")
    func styled() {
        #expect(
            report.text(for: colorful)
                == "\u{1B}[1;31merror:\u{1B}[0m \"shop\" is not installed\n"
                + "  \u{1B}[1mremedy:\u{1B}[0m run \"hostapp install shop\"\n")
    }

    @Test("The report is one JSON document, with details only if there are any")
    func json() {
        var report = report
        #expect(
            report.json.text()
                == #"{"error":{"code":"notInstalled","subject":"shop","message":"\"shop\" is not installed","#
                + #""remedy":"run \"hostapp install shop\""}}"#)
        report.remedy = nil
        report.details = ["one"]
        #expect(report.json.text().hasSuffix(#""remedy":null,"details":["one"]}}"#))
    }

    @Test("The text is wrapped on a terminal and has one line per part elsewhere")
    func wrapping() {
        let report = FailureReport(
            code: "c", subject: "s", message: "the page has no such action", remedy: "type \"help\" to see more",
            details: ["one more fact to know"])
        let terminal = Terminal(isTerminal: true, columns: 20) { _ in nil }
        #expect(
            report.text(for: terminal) == """
                error: the page has
                  no such action
                  - one more fact to
                    know
                  remedy: type
                    "help" to see
                    more

                """)
        #expect(report.text().split(separator: "\n").count == 3)
    }
}
