/// The answer of a program to the script that installs its manual pages.
///
/// The arguments `__manual` print the names of the pages, and `__manual NAME DATE` one page. They are no command, because only an
/// installation needs them.
public struct ManualAnswer: Sendable {
    static let word = "__manual"

    private let words: [String]

    /// Reads the arguments of a program; `nil` for any others.
    public init?(_ arguments: [String]) {
        guard arguments.first == Self.word else { return nil }
        words = Array(arguments.dropFirst())
    }

    /// Returns the names of all pages, or the source of the named one; `nil` if there is no such page.
    public func text(_ root: Command) -> String? {
        let pages = ManualPages(root)
        guard let name = words.first else { return pages.names.map { $0 + "\n" }.joined() }
        return pages.text(named: name, date: words.count > 1 ? words[1] : "")
    }
}
