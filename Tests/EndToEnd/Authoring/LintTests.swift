import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("bundletool lint on the sample plugins", .tags(.large))
struct LintTests {
    private func lint(_ words: [String]) async throws -> JSON {
        let result = try await HostApp.find().bundletool.run(["lint", "--json"] + words)
        try #require(result.stderr == "", "\(result)")
        return try result.json()
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
        var words = [Workplace.root.appending("Plugins/\(name)").string, "--against", host.catalog.string]
        for file in built.fileNames where file.hasPrefix("lib/") {
            let path = try folder.write(try built.bytes(of: file), to: FilePath(file).lastComponent)
            if path.lastComponent == "lib\(name).so" { words += ["--library", path.string] }
        }
        let report = try await lint(words)
        #expect(report.findings.elements.map { "\($0.code): \($0.what)" } == [])
        #expect(report.comparedWith == (name == "Shop" ? "1.0.0" : .null))
        #expect(report.notes == (name == "Shop" ? [] : ["no release before this version is published"]))
    }
}
