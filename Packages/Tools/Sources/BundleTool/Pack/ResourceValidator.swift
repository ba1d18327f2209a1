import Console
import PluginCore
import PluginLint

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
        /// The resources that could be read.
        var resources = PluginResources()
    }

    /// The folder of resources; `nil` for a plugin without resources.
    let folder: FilePath?

    private var findings = Findings()
    private var pages: [String: [String]] = [:]

    init(folder: FilePath?) {
        self.folder = folder
    }

    /// Checks all resources.
    ///
    /// - Parameter layouts: the pages that the manifest names.
    static func findings(in folder: FilePath?, layouts: [LayoutReference]) throws -> Findings {
        var validator = ResourceValidator(folder: folder)
        for name in try folder.map(Files.names(below:)) ?? [] { try validator.validate(name) }
        for layout in layouts {
            if let problem = validator.problem(of: layout) {
                validator.findings.problems.append("\(layout.place): \(problem)")
            }
        }
        validator.validateWithRules()
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
        findings.resources.names.append(name)
        let components = name.split(separator: "/")
        if components.count == 2, components[0] == "Pages", name.hasSuffix(".json") {
            // The file is known even if it cannot be decoded, because one problem per file is enough.
            pages[name] = []
            guard let layout = try decode(PageLayout.self, name, expected: "a page layout") else { return }
            pages[name] = layout.pages.keys.sorted()
            findings.resources.layouts[place] = layout
        } else if components.count == 2, components[0].hasSuffix(".lproj"), components[1] == "Localizable.json" {
            findings.resources.tables[place] = try decode(
                [String: String].self, name, expected: "a flat object of strings")
        }
    }

    private mutating func decode<T: Decodable>(_ type: T.Type, _ name: String, expected: String) throws -> T? {
        let bytes = try bytes(of: name)
        do {
            return try StrictJSON.decode(type, from: bytes)
        } catch {
            findings.problems.append("Resources/\(name): expected \(expected); \(StrictJSON.finding(error))")
            return nil
        }
    }

    private func bytes(of name: String) throws -> [UInt8] {
        try Files.bytes(
            of: (folder ?? ".").appending(name), limit: Self.sizeLimit,
            remedy: "do not change files while they are packed")
    }

    /// Checks the rules of `bundletool lint` that need nothing but the resources.
    private mutating func validateWithRules() {
        var subject = LintSubject()
        subject.resources = findings.resources
        let rules: [LintRule] = [.fileStray, .fileScale, .layoutTextMissing, .layoutImageMissing, .textMissing]
        findings.warnings = rules.flatMap { $0.problems(of: subject) }.map { "\($0.place): \($0.what)" }
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
