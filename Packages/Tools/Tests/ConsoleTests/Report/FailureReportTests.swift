import Console
import Testing

struct FailureReportTests {
    private let report = FailureReport(
        code: "notInstalled", subject: "shop", message: "\"shop\" is not installed",
        remedy: "run \"hostapp install shop\"")

    @Test("tells the fault and the remedy as text")
    func text() {
        #expect(
            report.text() == """
                error: "shop" is not installed
                  remedy: run "hostapp install shop"

                """)
    }

    @Test("lists details before the remedy, and leaves out what there is not")
    func details() {
        var report = report
        report.details = ["one", "two\u{1B}"]
        report.remedy = nil
        #expect(report.text() == "error: \"shop\" is not installed\n  - one\n  - two\\u{1B}\n")
    }

    @Test("sets off its two words on a terminal")
    func styled() {
        let terminal = Terminal(isTerminal: true, columns: 80) { $0 == "TERM" ? "xterm" : nil }
        #expect(
            report.text(for: terminal)
                == "\u{1B}[1;31merror:\u{1B}[0m \"shop\" is not installed\n"
                + "  \u{1B}[1mremedy:\u{1B}[0m run \"hostapp install shop\"\n")
    }

    @Test("is one JSON document, with details only if there are any")
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

    @Test(
        "ends with the numbers of sysexits",
        arguments: [
            (.done, 0), (.usage, 64), (.badInput, 65), (.notFound, 66), (.unavailable, 69), (.software, 70),
            (.ioError, 74), (.refused, 77),
        ] as [(Console.ExitStatus, Int32)])
    func statuses(status: Console.ExitStatus, number: Int32) {
        #expect(status.rawValue == number)
    }

    @Test("is broken at the width of a terminal, and one line each off one")
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
