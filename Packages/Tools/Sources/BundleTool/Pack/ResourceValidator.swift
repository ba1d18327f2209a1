import Authoring
import HostSystem
import PageLayouts
import PluginCore
import PluginLint

/// The check of a plugin's resources, which finds files that Core cannot read and files that were probably added by mistake.
struct ResourceValidator {
    /// The maximum size of a layout or string table in bytes; larger files are rejected without being read.
    static let sizeLimit = 16 << 20

    /// The errors, for which a host would reject the resources or could not read them; one line each with its path, files first.
    private(set) var problems: [String] = []
    /// The warnings about content that a host accepts but the author probably did not intend, in the same form.
    private(set) var warnings: [String] = []
    /// The resources that could be read.
    private(set) var resources = PluginResources()
    private var pages: [String: [String]] = [:]

    /// Checks all resources.
    ///
    /// - Parameters:
    ///   - folder: the folder of resources; `nil` for a plugin without resources.
    ///   - layouts: the pages that the manifest names.
    init(of folder: FilePath?, layouts: [LayoutReference]) throws {
        if let folder {
            for name in try Files.names(below: folder) { try validate(name, in: folder) }
        }
        problems += layouts.compactMap { layout in problem(of: layout).map { "\(layout.place): \($0)" } }
        // The rules of `bundletool lint` that need nothing but the resources.
        var subject = LintSubject()
        subject.resources = resources
        let rules: [LintRule] = [.fileStray, .fileScale, .layoutTextMissing, .layoutImageMissing, .textMissing]
        warnings = rules.flatMap { $0.problems(of: subject) }.map { "\($0.place): \($0.what)" }
    }

    private mutating func validate(_ name: String, in folder: FilePath) throws {
        let (file, place) = (folder.appending(name), "Resources/\(name)")
        switch Files.kind(of: file, followingLinks: false) {
        case .folder: return
        case .file: break
        case .other, nil: return problems.append("\(place): it is neither a file nor a folder")
        }
        resources.names.append(name)
        func decode<T: Decodable>(_ type: T.Type, expected: String) throws -> T? {
            let bytes = try Files.bytes(of: file, limit: Self.sizeLimit)
            do {
                return try StrictJSON.decode(type, from: bytes)
            } catch {
                problems.append("\(place): expected \(expected); \(ErrorReason.finding(error))")
                return nil
            }
        }
        let components = name.split(separator: "/")
        if components.count == 2, components[0] == "Pages", name.hasSuffix(".json") {
            let layout = try decode(PageLayout.self, expected: "a page layout")
            // The file is known even if it cannot be decoded, because one problem per file is enough.
            pages[name] = layout?.pages.keys.sorted() ?? []
            resources.layouts[place] = layout
        } else if components.count == 2, components[0].hasSuffix(".lproj"), components[1] == "Localizable.json" {
            resources.tables[place] = try decode([String: String].self, expected: "a flat object of strings")
        }
    }

    private func problem(of layout: LayoutReference) -> String? {
        guard let known = pages[layout.file] else {
            let nearest = Nearest.words(to: layout.file, in: pages.keys.sorted())
            return "there is no Resources/\(layout.file)" + offer(nearest.map { "Resources/\($0)" })
        }
        guard !known.isEmpty, !known.contains(layout.page) else { return nil }
        let nearest = Nearest.words(to: layout.page, in: known)
        return "Resources/\(layout.file) has no page \"\(layout.page)\"" + offer(nearest)
    }

    private func offer(_ nearest: [String]) -> String { nearest.first.map { "; did you mean \"\($0)\"?" } ?? "" }
}

/// A page layout that a route of the manifest names.
struct LayoutReference {
    /// The path in the manifest, such as `routes[2].layout`.
    let place: String
    /// The path of the file below `Resources`.
    let file: String
    /// The name of the page in the file.
    let page: String

    /// Returns the references of a manifest; entries that cannot be read are left to the manifest reader to report.
    static func all(in manifest: [UInt8]) -> [LayoutReference] {
        CompletedManifest.routes(in: manifest).enumerated().compactMap { index, route in
            let parts = route.layout?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
            return .init(place: "routes[\(index)].layout", file: "Pages/\(parts[0]).json", page: String(parts[1]))
        }
    }
}

/// The converters that the patterns of a manifest and its code use.
enum ConverterReference {
    /// Returns the sorted names between `<` and `>` without duplicates, also for a manifest that breaks other rules.
    static func names(in manifest: [UInt8], _ code: BundleDeclarations?) -> [String] {
        let patterns =
            CompletedManifest.routes(in: manifest).compactMap(\.pattern) + (code?.routes ?? []).map(\.pattern)
        let pieces = patterns.flatMap { $0.split(separator: "<").dropFirst() }
        return Set(pieces.compactMap { piece in piece.firstIndex(of: ">").map { String(piece[..<$0]) } }).sorted()
    }
}
