import BundleFormat
import PluginCore

/// The check of the texts on pages.
@MainActor
enum TextsCheck {
    /// Draws each page in each language.
    static func run(_ run: CheckRun, _ host: ValidationHost) async throws {
        let tables = try await tables(run, host)
        guard !tables.isEmpty else { throw CheckSkipped(reason: "the package has no texts") }
        for (language, table) in tables.sorted(by: { $0.key < $1.key }) {
            // The hosts stay in use to the end, because unloading the plugin is the subject of other checks.
            let localized = run.makeHost(languages: [language])
            for (uri, page) in await SampleRequest.pages(in: localized) {
                localized.begin("draw the page of \(uri.text) in \(language)")
                for text in localized.texts(of: page) where table[text].map({ $0 != text }) ?? false {
                    run.fail("\(uri.text) shows the key \"\(text)\" in \(language)")
                }
                page.didClose()
            }
            for problem in localized.log.textProblems(of: host.identifier) { run.fail("in \(language): \(problem)") }
        }
    }

    /// Returns the string tables of the package by language.
    private static func tables(_ run: CheckRun, _ host: ValidationHost) async throws -> [String: [String: String]] {
        let resources = try await host.resources()
        let suffix = ".lproj/Localizable.json"
        var tables: [String: [String: String]] = [:]
        for name in try run.settings.package.files().map(\.name)
        where name.hasPrefix("Resources/") && name.hasSuffix(suffix) {
            let file = String(name.dropFirst("Resources/".count))
            tables[String(file.dropLast(suffix.count))] = try StrictJSON.decode(
                [String: String].self, from: try resources.bytes(of: file))
        }
        return tables
    }
}
