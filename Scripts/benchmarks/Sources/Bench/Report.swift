import Glibc

/// The report of a run, with figures on standard output and progress on standard error.
final class Report {
    struct Incomplete: Error, CustomStringConvertible {
        let missing: [Figure]

        var description: String {
            "not measured: " + missing.map { "\"\($0.name) / \($0.baseline)\"" }.joined(separator: ", ")
        }
    }

    private(set) var measurements: [Measurement] = []
    private let effort: Effort

    init(_ effort: Effort) {
        self.effort = effort
    }

    func add(_ figure: Figure, _ measured: Double, beside compared: Double) {
        let measurement = Measurement(figure: figure, measured: measured, compared: compared)
        measurements.append(measurement)
        print(measurement.text(of: effort))
        // A reader of a pipe receives each figure immediately.
        fflush(nil)
    }

    /// Prints the counts of a run that compares nothing.
    func add(counts text: String) {
        print(text)
        fflush(nil)
    }

    /// Prints the next measurement.
    static func progress(_ text: String) {
        let line = Array("bench: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Checks that every figure was measured.
    ///
    /// - Throws: ``Incomplete`` if a figure is missing that this run can measure.
    func requireComplete(withMatchit: Bool) throws {
        let known = Set(measurements.map { $0.figure.name + $0.figure.baseline })
        let missing = Figure.all.filter {
            !known.contains($0.name + $0.baseline) && (withMatchit || !$0.needsMatchit)
                && (effort == .full || !$0.isSlow)
        }
        if !missing.isEmpty { throw Incomplete(missing: missing) }
    }
}
