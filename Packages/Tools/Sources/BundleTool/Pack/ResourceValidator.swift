import Console
import PluginCore

/// The validator of a plugin's resources, which finds files that Core cannot read and files that were probably added by mistake.
struct ResourceValidator {
    /// The maximum size of a layout or string table in bytes; larger files are rejected without being read.
    static let sizeLimit = 16 << 20

    /// The findings about a folder, one line each with its path, files first.
    struct Findings {
        /// The errors, for which a host would reject the resources or could not read them.
        var problems: [String] = []
        /// The warnings about content that a host accepts but the author probably did not intend.
        var warnings: [String] = []
    }

    /// The folder of resources; `nil` for a plugin without resources.
    let folder: FilePath?

    private var findings = Findings()
    private var pages: [String: [String]] = [:]
    private var tables: [String: Set<String>] = [:]
    /// The keys that layouts refer to, by file.
    private var asked: [String: Set<String>] = [:]

    init(folder: FilePath?) {
        self.folder = folder
    }

    /// Checks all resources.
    ///
    /// - Parameter layouts: the pages that the manifest names.
    static func findings(in folder: FilePath?, layouts: [LayoutReference]) throws -> Findings {
        var validator = ResourceValidator(folder: folder)
        let names = try folder.map(Files.names(below:)) ?? []
        for name in names { try validator.validate(name) }
        let known = Set(names)
        validator.findings.warnings += names.compactMap { name in
            ScaledFile.doubt(about: name, among: known).map { "Resources/\(name): \($0)" }
        }
        for layout in layouts {
            if let problem = validator.problem(of: layout) {
                validator.findings.problems.append("\(layout.place): \(problem)")
            }
        }
        validator.validateTexts()
        return validator.findings
    }

    private mutating func validate(_ name: String) throws {
        guard let folder else { return }
        let place = "Resources/\(name)"
        switch Files.kind(of: folder.appending(name), followingLinks: false) {
        case .folder: return
        case .file: break
        case .other, nil: return findings.problems.append("\(place): it is neither a file nor a folder")
        }
        if let doubt = StrayFile.doubt(about: name) { findings.warnings.append("\(place): \(doubt)") }
        let components = name.split(separator: "/")
        if components.count == 2, components[0] == "Pages", name.hasSuffix(".json") {
            // The file is known even if it cannot be decoded, because one problem per file is enough.
            pages[name] = []
            guard let layout = try decode(PageLayout.self, name, expected: "a page layout") else { return }
            pages[name] = layout.pages.keys.sorted()
            asked[place] = Set(
                layout.pages.values.flatMap(\.texts).filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) })
        }
        if components.count == 2, components[0].hasSuffix(".lproj"), components[1] == "Localizable.json" {
            guard let table = try decode([String: String].self, name, expected: "a flat object of strings") else {
                return
            }
            tables[place] = Set(table.keys)
        }
    }

    private mutating func decode<T: Decodable>(_ type: T.Type, _ name: String, expected: String) throws -> T? {
        let bytes = try Files.bytes(
            of: (folder ?? ".").appending(name), limit: Self.sizeLimit,
            remedy: "do not change files while they are packed")
        do {
            return try StrictJSON.decode(type, from: bytes)
        } catch {
            findings.problems.append("Resources/\(name): expected \(expected); \(StrictJSON.finding(error))")
            return nil
        }
    }

    /// Checks that every language has every text, and that every text of a layout exists.
    private mutating func validateTexts() {
        let all = tables.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        for (place, keys) in asked.sorted(by: { $0.key < $1.key }) {
            findings.warnings += keys.subtracting(all).sorted().map {
                "\(place): \(quoted("@" + $0)) has no text in any language, so the key is shown"
            }
        }
        for (place, keys) in tables.sorted(by: { $0.key < $1.key }) {
            findings.warnings += all.subtracting(keys).sorted().map { key in
                let others = tables.filter { $0.value.contains(key) }.keys.sorted().joined(separator: ", ")
                return "\(place): \(quoted(key)) is missing, but exists in \(others)"
            }
        }
    }

    private func problem(of layout: LayoutReference) -> String? {
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
}

extension PageLayout.Screen {
    /// All texts and keys that a user sees.
    fileprivate var texts: [String] {
        [title] + (actions ?? []).map(\.title)
            + content.flatMap { element -> [String] in
                switch element {
                case .heading(let text), .text(let text): [text]
                case .field(let label, let value): [label, value]
                case .rows(let rows): rows.flatMap { [$0.title, $0.detail ?? ""] }
                case .divider: []
                @unknown default: []
                }
            }
    }
}
