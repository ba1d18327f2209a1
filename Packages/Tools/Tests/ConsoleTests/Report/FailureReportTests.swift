import Console
import Testing

@Suite("Failure reports", .tags(.small))
struct FailureReportTests {
    private let report = FailureReport(
        code: "notInstalled", subject: "shop", message: "\"shop\" is not installed",
        remedy: "run \"hostapp install shop\"")

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
}
