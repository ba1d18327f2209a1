import Glibc
import Testing

/// An entry of the test program's table.
struct Attempt {
    enum Control: String { case any, root, none }

    let index: Int
    let name: String
    /// The names of the errors or signals that refuse it, or "possible".
    let expected: [String]
    let isCoveredByFilter: Bool
    let control: Control
    /// The reason why there is no control.
    let note: String

    var isPossible: Bool { expected == ["possible"] }

    /// Asks the test program for its table.
    static func all() throws -> [Attempt] {
        try Child(["list"], input: 0).wait().lines.enumerated().map { index, line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(columns.count == 5)
            return Attempt(
                index: index, name: columns[0], expected: columns[1].split(separator: " ").map(String.init),
                isCoveredByFilter: columns[2] == "filter", control: try #require(Control(rawValue: columns[3])),
                note: columns[4])
        }
    }
}
