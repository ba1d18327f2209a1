import Foundation
import Testing

/// A page of the repository, from which tests take code and commands.
struct DocumentPage {
    /// The repository's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    let text: String

    /// Reads a page by its path from the repository's folder.
    init(_ path: String) throws {
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The code blocks of a chapter, or those before the first chapter.
    func blocks(in chapter: String? = nil) throws -> [String] {
        let chapters = "\n\(text)".components(separatedBy: "\n## ")
        let found = try #require(
            chapter.map { title in chapters.first { $0.hasPrefix("\(title)\n") } } ?? chapters.first,
            "no chapter \(chapter ?? "")")
        return Self.blocks(of: found)
    }

    /// The code blocks of the whole page.
    var allBlocks: [String] { Self.blocks(of: text) }

    private static func blocks(of text: String) -> [String] {
        text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { block in
            String(block.element.drop { $0 != "\n" }.dropFirst())
        }
    }
}
