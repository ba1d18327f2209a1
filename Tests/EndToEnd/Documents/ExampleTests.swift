import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The examples in the documentation of public declarations", .tags(.large), .timeLimit(.minutes(10)))
struct ExampleTests {
    /// An example in the comment above a public declaration.
    private struct Example {
        let file: String
        let lines: [String]

        /// The parts that begin in the first column, each with the lines that belong to it.
        private var parts: [[String]] {
            lines.reduce(into: []) { parts, line in
                let isContinued = line.isEmpty || line.first.map { " })]".contains($0) } == true || line.hasPrefix("//")
                if let last = parts.indices.last, isContinued || parts[last].last?.hasPrefix("@") == true {
                    parts[last].append(line)
                } else {
                    parts.append([line])
                }
            }
        }

        /// Returns the source with the statements in a function of their own, and the names of the example's functions made unique.
        func source(_ number: Int, _ values: String) -> String {
            let isWhole = lines.contains { $0.hasPrefix("@") }
            var (outer, inner) = ("", "")
            for part in parts {
                let text = part.joined(separator: "\n") + "\n"
                if text.hasPrefix("import ") { continue }
                if isWhole || text.hasPrefix("extension ") {
                    outer += text.replacing(/plugin_entry_v3|pluginEntry/) { "\($0.output)\(number)" }
                } else {
                    inner += text.replacing(#/\bpublic /#, with: "")
                }
            }
            return outer
                + (inner.isEmpty ? "" : "@MainActor func example\(number)(\(values)) async throws {\n\(inner)}\n")
        }
    }

    /// The folders of all modules of the SDK with examples.
    private static func folders() throws -> [String] {
        func names(in folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: DocumentPage.root.appending(path: folder).path)
        }
        return try names(in: "Packages").filter { !["Tools", "settings"].contains($0) }.flatMap { package in
            try names(in: "Packages/\(package)/Sources").map { "Packages/\(package)/Sources/\($0)" }
        }.filter { try !examples(in: $0).isEmpty }
    }

    @Test("The examples of the modules are found")
    func found() throws { #expect(try Self.folders().count >= 29) }

    @Test("Every example of a module compiles", arguments: try folders())
    func compiles(folder: String) async throws {
        let module = folder.split(separator: "/").last.map(String.init) ?? ""
        let context = ExampleContext.all[module] ?? ExampleContext()
        let examples = try Self.examples(in: folder).filter { !context.internalFiles.contains($0.file) }
        let sources = examples.enumerated().map { $0.element.source($0.offset, context.values) }
        try await context.compile(sources.joined(), importing: [module])
    }

    /// The examples above public declarations in the sources of a folder.
    private static func examples(in folder: String) throws -> [Example] {
        let root = DocumentPage.root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            var found: [Example] = []
            var open: [String]?
            var waiting: [[String]] = []
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                let line = line.drop { $0 == " " }
                switch (line, open) {
                case ("/// ```swift", _): open = []
                case ("/// ```", let lines?):
                    waiting.append(lines)
                    open = nil
                case (_, let lines?): open = lines + [String(line.dropFirst(line == "///" ? 3 : 4))]
                case _ where line.hasPrefix("//") || line.hasPrefix("@"): break
                default:
                    if line.contains("public ") {
                        let file = path.split(separator: "/").last.map(String.init) ?? path
                        found += waiting.map { Example(file: file, lines: $0) }
                    }
                    waiting = []
                }
            }
            return found
        }
    }
}
