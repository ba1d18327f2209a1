import FoundationEssentials
import PluginCore

/// Judges a plugin's resources: what Core will read of them can be read.
struct ResourceJudge {
    /// Larger layouts and string tables, in bytes, are refused unread.
    private static let sizeLimit = 16 << 20

    /// The folder; `nil` for a plugin without resources.
    let folder: FilePath?

    /// Everything that is wrong, one line each with its place, files first.
    func problems(layouts: [LayoutReference]) throws -> [String] {
        var problems: [String] = []
        var pages: [String: [String]] = [:]
        for name in try folder.map(Files.names(below:)) ?? [] {
            if let problem = try problem(of: name, pages: &pages) { problems.append("Resources/\(name): \(problem)") }
        }
        for layout in layouts {
            if let problem = self.problem(of: layout, pages) { problems.append("\(layout.place): \(problem)") }
        }
        return problems
    }

    private func problem(of name: String, pages: inout [String: [String]]) throws -> String? {
        guard let folder else { return nil }
        switch Files.kind(of: folder.appending(name), followingLinks: false) {
        case .folder: return nil
        case .file: break
        case .other, nil: return "it is neither a file nor a folder"
        }
        let components = name.split(separator: "/")
        if components.count == 2, components[0] == "Pages", name.hasSuffix(".json") {
            // Known even when it can not be decoded: one problem is enough for one file.
            pages[name] = []
            return try decode(PageLayout.self, name, expected: "a page layout") { pages[name] = $0.pages.keys.sorted() }
        }
        if components.count == 2, components[0].hasSuffix(".lproj"), components[1] == "Localizable.json" {
            return try decode([String: String].self, name, expected: "a flat object of texts") { _ in }
        }
        return nil
    }

    private func decode<T: Decodable>(
        _ type: T.Type, _ name: String, expected: String, _ use: (T) -> Void
    ) throws -> String? {
        let path = (folder ?? ".").appending(name)
        let bytes = try Files.bytes(
            of: path, limit: Self.sizeLimit, remedy: "do not change files while they are packed")
        do {
            use(try JSONDecoder().decode(type, from: Data(bytes)))
            return nil
        } catch {
            return "\(expected) is expected; \(Self.cause(of: error))"
        }
    }

    private func problem(of layout: LayoutReference, _ pages: [String: [String]]) -> String? {
        guard let known = pages[layout.file] else {
            let nearest = Nearest.words(to: layout.file, in: pages.keys.sorted())
            return "there is no Resources/\(layout.file)" + Self.offer(nearest.map { "Resources/\($0)" })
        }
        guard !known.isEmpty, !known.contains(layout.page) else { return nil }
        let nearest = Nearest.words(to: layout.page, in: known)
        return "Resources/\(layout.file) has no page \"\(layout.page)\"" + Self.offer(nearest)
    }

    private static func offer(_ nearest: [String]) -> String {
        nearest.first.map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// The place and the finding of the decoder, in a clause.
    private static func cause(of error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(let type, let context): "\(place(context)) is no \(type)"
        case DecodingError.valueNotFound(let type, let context): "\(place(context)) is null and no \(type)"
        case DecodingError.keyNotFound(let key, let context): "\(place(context)) has no \"\(key.stringValue)\""
        case DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is no JSON" : "\(place(context)): \(context.debugDescription)"
        default: "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let keys = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? "\"\(key.stringValue)\"" }
        return keys.isEmpty ? "the file" : keys.joined(separator: ", ")
    }
}
