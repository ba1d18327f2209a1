import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("bundletool lint on the sample plugins", .tags(.large))
struct LintTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            let code: String
            let place: String
            let what: String
            let breaks: [String]
        }

        let comparedWith: String?
        let errors: Int
        let findings: [Finding]
        let notes: [String]
    }

    private static let root = FilePath(#filePath).parent.parent.parent.parent

    private func lint(_ words: [String]) async throws -> Report {
        let result = try await HostApp.find().bundletool.run(["lint", "--json"] + words)
        try #require(result.stderr == "", "\(result)")
        return try result.json(as: Report.self)
    }

    @Test(
        "Each sample plugin passes, with the sources and against the catalog",
        arguments: [
            ("Account", "com.example.app.account-1.0.0"), ("Lantern", "com.example.assets.lantern-1.0.0"),
            ("Money", "com.example.lib.money-1.0.0"), ("Notes", "com.example.app.notes-1.0.0"),
            ("Orders", "com.example.app.orders-1.0.0"), ("Photos", "com.example.app.photos-1.0.0"),
            ("Shop", "com.example.app.shop-1.1.0"), ("Stocks", "com.example.app.stocks-1.0.0"),
        ])
    func samples(name: String, package: String) async throws {
        let host = try HostApp.find()
        let folder = try ThrowawayFolder()
        let built = try PackageEditor(host.catalog.appending("\(package).zip"))
        var words = [Self.root.appending("Plugins/\(name)").string, "--against", host.catalog.string]
        for file in built.fileNames where file.hasPrefix("lib/") {
            let path = try folder.write(try built.bytes(of: file), to: FilePath(file).lastComponent)
            if path.lastComponent == "lib\(name).so" { words += ["--library", path.string] }
        }
        let report = try await lint(words)
        #expect(report.findings.map { "\($0.code): \($0.what)" } == [])
        #expect(report.comparedWith == (name == "Shop" ? "1.0.0" : nil))
        #expect(report.notes == (name == "Shop" ? [] : ["no release before this version is published"]))
    }

    @Test("The second release of a library that plugins link keeps all names of the first")
    func library() async throws {
        let catalog = try HostApp.find().catalog
        let package = catalog.appending("com.example.lib.money-1.1.0.zip").string
        let report = try await lint([package, "--against", catalog.string])
        #expect(report.comparedWith == "1.0.0" && report.errors == 0)
    }

    @Test("A release that lost an action names it, and the plugins of the catalog that break")
    func broken() async throws {
        let catalog = try HostApp.find().catalog
        let edited = try ThrowawayCatalog()
        let package = try edited.pack(from: catalog.appending("com.example.app.account-1.0.0.zip")) {
            try $0.rename(version: "1.0.1")
            try $0.replaceInManifest("\"requireSignIn\"", with: "\"requireLogin\"")
        }
        let report = try await lint([package.string, "--against", catalog.string])
        let finding = try #require(report.findings.first { $0.code == "action-removed" })
        #expect(report.errors == 1 && report.comparedWith == "1.0.0" && report.notes == [])
        #expect(finding.what == "the action \"Account.requireSignIn\" of 1.0.0 is missing")
        #expect(finding.breaks == ["com.example.app.orders@1.0.0", "com.example.app.shop@1.1.0"])
        let major = try edited.pack(from: package) { try $0.rename(version: "2.0.0") }
        let allowed = try await lint([major.string, "--against", catalog.string])
        #expect(allowed.errors == 0 && allowed.findings.filter { $0.code == "dependent-excluded" }.count == 2)
    }
}
