import Console
import Foundation
import Testing

@testable import AppHost

@Suite("Patterns given on the command line", .tags(.small))
struct GivenPatternsTests {
    /// One of the routing cases of Packages/Router.
    private struct Case: Decodable {
        let id: String
        let patterns: [String]
        let url: String
    }

    private static let lines: [Data] = {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let path = "/\(root)/Packages/Router/Tests/PluginRouterTests/Fixtures/routing.jsonl"
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
        return data.split(separator: UInt8(ascii: "\n"))
    }()

    private func document(_ patterns: [String], _ url: String) throws -> Any {
        do {
            return try JSONSerialization.jsonObject(with: Data(GivenPatterns(patterns, url).json.text().utf8))
        } catch let refusal as ReportedError {
            return ["error": refusal.report.code]
        }
    }

    /// Returns a document with its members in the order of their names.
    private func sorted(_ document: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: document, options: .sortedKeys), as: UTF8.self)
    }

    @Test("Every public routing case has the expected outcome in both orders of its patterns")
    func cases() throws {
        #expect(Self.lines.count == 524)
        for line in Self.lines {
            let routing = try JSONDecoder().decode(Case.self, from: line)
            let members = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
            let expect = try #require(members["expect"])
            let expected = try sorted(expect is NSNull ? ["pattern": NSNull()] : expect)
            for patterns in [routing.patterns, routing.patterns.reversed()] {
                // Texts are equal only if their bytes are, whatever their Unicode normalization.
                let document = try sorted(document(patterns, routing.url))
                #expect(document.utf8.elementsEqual(expected.utf8), "\(routing.id): \(document)")
            }
        }
    }

    @Test("A conflict of patterns is reported to people as by every other command")
    func refusal() throws {
        let refusal = #expect(throws: ReportedError.self) { try GivenPatterns(["a/:x", "a/:y"], "a/1") }
        #expect(refusal?.report.code == "conflict")
        #expect(refusal?.report.message.contains("both match \"a/") == true)
        #expect(refusal?.exitStatus == .badInput)
    }

    @Test("The text names the matching pattern, its captures, and why each other pattern does not match")
    func text() throws {
        let patterns = try GivenPatterns(["a/:x", "a/:x/**more", "a/b", "app://:x"], "app://a/b/c%20d/e?q=1")
        #expect(
            patterns.answer(for: .plain).text == """
                app://a/b/c%20d/e?q=1 goes to a/:x/**more
                  x = b
                  more = [c d, e]
                  ?q = 1

                   PATTERN      RESULT
                1  a/:x/**more  wins
                -  a/:x         does not match: it ends before segment 3, "c d"
                -  a/b          does not match: it ends before segment 3, "c d"
                -  app://:x     does not match: it ends before segment 2, "b"

                """)
        #expect(try GivenPatterns(["x"], "y").answer(for: .plain).text.hasPrefix("y has no route\n"))
    }
}
