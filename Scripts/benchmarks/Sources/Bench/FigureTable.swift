import FoundationEssentials
import Glibc
import PluginCore

/// The published table of figures, between two lines that mark it.
struct FigureTable {
    struct Flaw: Error, CustomStringConvertible {
        let description: String
    }

    private static let begin = "<!-- Scripts/bench --performance writes from here -->\n"
    private static let end = "<!-- to here -->\n"
    private static let head = """
        | what | baseline | ratio | at most |
        |---|---|---|---|

        """

    let path: FilePath

    /// Replaces the figures in the table by those of a run.
    func write(_ measurements: [Measurement]) throws {
        let (before, _, after) = try parts()
        var text = "\(Self.machine()):\n\n\(Self.head)"
        for figure in Figure.all {
            let measured = measurements.first { $0.figure.name == figure.name && $0.figure.baseline == figure.baseline }
            let ratio = measured.map { Measurement.two($0.ratio) } ?? "not measured"
            text += Self.row(figure, ratio: ratio)
        }
        try Data((before + text + after).utf8).write(to: URL(filePath: path.string))
    }

    /// Checks that the table lists the same figures.
    ///
    /// - Throws: ``Flaw`` if the rows differ from the list of figures.
    func requireSameRows() throws {
        let rows = try parts().table.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map(
            Self.withoutRatio)
        let expected = Figure.all.map { Self.withoutRatio(Self.row($0, ratio: "")) }
        guard rows != expected else { return }
        let differing = expected.filter { !rows.contains($0) } + rows.filter { !expected.contains($0) }
        throw Flaw(
            description: "\(path): its figures are not those of Scripts/bench; run Scripts/bench --performance. "
                + (differing.isEmpty ? "Their order differs." : "Differing: \(differing.joined(separator: "; "))"))
    }

    private static func row(_ figure: Figure, ratio: String) -> String {
        let budget = figure.budget.map { Measurement.two($0) + " |\n" } ?? "|\n"
        return "| \(figure.name) | \(figure.baseline) | \(ratio) | \(budget)"
    }

    /// Returns a row's name, baseline and budget.
    private static func withoutRatio(_ row: some StringProtocol) -> String {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map { String($0.filter { $0 != "\n" }) }
        guard cells.count == 6 else { return String(row) }
        return [cells[1], cells[2], cells[4]].joined(separator: "|")
    }

    private func parts() throws -> (before: String, table: String, after: String) {
        let text = try String(contentsOf: URL(filePath: path.string), encoding: .utf8)
        guard let begin = text.firstRange(of: Self.begin),
            let end = text[begin.upperBound...].firstRange(of: Self.end)
        else {
            throw Flaw(description: "\(path): the two comments that mark the table of figures are not in it")
        }
        return (
            String(text[..<begin.upperBound]), String(text[begin.upperBound..<end.lowerBound]),
            String(text[end.lowerBound...])
        )
    }

    /// Returns the date and the machine of this run.
    ///
    /// For example `Ratios of medians, measured on 2026-01-01 on 2 cores of ..., Linux 6.1`.
    private static func machine() -> String {
        let date = Date.now.formatted(.iso8601.year().month().day())
        let processors = ((try? String(contentsOf: URL(filePath: "/proc/cpuinfo"), encoding: .utf8)) ?? "")
            .split(separator: "\n").filter { $0.hasPrefix("model name") }
        let model = processors.first?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "an unknown processor"
        var system = utsname()
        uname(&system)
        let release = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "Ratios of medians, measured on \(date) on \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores of \(model), "
            + "Linux \(release)"
    }
}
