import CatalogFormat
import Console
import PluginCore
import Preflight

extension LintRule {
    static let manifestInvalid = Self("manifest-invalid", .error) { $0.refusals["manifest-invalid"] ?? [] }
}

// The texts and the icon with which a catalog shows the plugin.
extension LintRule {
    /// The longest name that fits into one line beside an icon, in characters.
    static let nameLimit = 30
    /// The longest summary that fits into one line of a list, in characters.
    static let summaryLimit = 120

    static let nameLong = Self("name-long", .warning, limit: "\(nameLimit)") {
        long("name", "bundle.name", $0.manifest?.name, in: $0, limit: nameLimit)
    }

    static let summaryLong = Self("summary-long", .warning, limit: "\(summaryLimit)") {
        long("summary", "bundle.summary", $0.manifest?.summary, in: $0, limit: summaryLimit)
    }

    static let summaryMissing = Self("summary-missing", .warning) {
        $0.manifest?.summary.isEmpty == true ? [Problem("manifest.json", "\"summary\" is missing")] : []
    }

    private static func long(
        _ field: String, _ key: String, _ text: String?, in subject: LintSubject, limit: Int
    ) -> [Problem] {
        let translated = subject.resources.tables.compactMap { place, table in table[key].map { (place, key, $0) } }
        let all = [("manifest.json", field, text ?? "")] + translated.sorted { $0.0 < $1.0 }
        return all.filter { $0.2.count > limit }.map { place, name, text in
            Problem(place, "\"\(name)\" has \(text.count) characters")
        }
    }

    private static let icon = "Resources/icon.png"
    /// The first bytes of a PNG file (PNG 3, section 5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let iconMissing = Self("icon-missing", .warning) { subject in
        guard subject.manifest?.kind == .app, subject.resources.icon == nil else { return [] }
        return [Problem(icon, "it is missing")]
    }

    static let iconUnusable = Self("icon-unusable", .warning, limit: byteCount(CatalogLimits.iconSize)) { subject in
        guard let content = subject.resources.icon else { return [] }
        if content.count > CatalogLimits.iconSize { return [Problem(icon, "it has \(byteCount(content.count))")] }
        return content.starts(with: signature) ? [] : [Problem(icon, "it is not a PNG file")]
    }

    static let licenseMissing = Self("license-missing", .warning) {
        $0.manifest.map { $0.license == nil } == true ? [Problem("manifest.json", "\"license\" is missing")] : []
    }

    static let homepageMissing = Self("homepage-missing", .warning) {
        $0.manifest.map { $0.homepage == nil } == true ? [Problem("manifest.json", "\"homepage\" is missing")] : []
    }

    static let apiDeprecated = Self("api-deprecated", .warning) { $0.deprecated }

    static let libraryUnloadable = Self("library-unloadable", .error) { $0.refusals["library-unloadable"] ?? [] }

    /// The size of the debug information that is not worth a step of the build, in bytes.
    static let debugLimit = 1_000_000

    static let libraryDebug = Self("library-debug", .warning, limit: byteCount(debugLimit)) { subject in
        subject.libraries.filter { $0.value.debugSize > debugLimit }.sorted { $0.key < $1.key }.map { name, symbols in
            Problem(name, "it has \(byteCount(symbols.debugSize)) of debug information")
        }
    }

    /// The largest package that is downloaded in a few seconds over a mobile network, in bytes.
    static let packageLimit = 50_000_000
    /// The largest file that is usual in a plugin, in bytes.
    static let fileLimit = 10_000_000

    static let packageLarge = Self("package-large", .warning, limit: byteCount(packageLimit)) {
        $0.size > packageLimit ? [Problem("package", "it has \(byteCount($0.size))")] : []
    }

    static let fileLarge = Self("file-large", .warning, limit: byteCount(fileLimit)) { subject in
        subject.files.filter { $0.size > fileLimit }.map { Problem($0.name, "it has \(byteCount($0.size))") }
    }
}
