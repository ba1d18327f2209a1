import FoundationEssentials

/// The fixture files of these tests.
enum Fixture {
    /// Returns the lines of a file, or none if it doesn't exist.
    static func lines(of name: String) -> [String] {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let text = try? String(contentsOf: URL(filePath: "/\(folder)/Fixtures/\(name)"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }
}
