import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("bundletool pack and inspect", .tags(.large))
    struct PackTests {
        private struct Inspection: Decodable {
            struct File: Decodable {
                let name: String
            }

            let path: String
            let packageSHA256: String
            let identifier: String
            let version: String
            let files: [File]
        }

        @Test("The host installs and opens a plugin that bundletool has packed")
        func packed() async throws {
            let (folder, host) = (try ThrowawayFolder(), try HostApp.find())
            let shipped = try PackageEditor(host.catalog.appending("\(shop)-1.1.0.zip"))
            let library = try #require(shipped.fileNames.first { $0.hasSuffix("/libShop.so") })
            for file in shipped.fileNames where file != library && !file.hasPrefix("signature/") {
                try folder.write(try shipped.bytes(of: file), to: "Shop/\(file)")
            }
            // An author's folder also contains sources, which are not packed.
            try folder.write("// code\n", to: "Shop/Sources/Shop/Main.swift")
            let built = try folder.write(try shipped.bytes(of: library), to: "libShop.so")
            let output = folder.appending("made/catalog")
            let team = try #require(SigningIdentity.development, "Scripts/build has made no key")
            let result = try await host.bundletool.run(
                "pack", folder.appending("Shop").string, "--library", built.string, "--output", output.string, "--json",
                "--key", try team.writeKey(in: folder).string, "--team", team.team, "--dependency",
                host.catalog.appending("\(money)-1.0.0.zip").string)
            #expect(result.status == 0 && result.stderr == "", "\(result)")
            let inspection = try result.json(as: Inspection.self)
            #expect(inspection.identifier == shop && inspection.version == "1.1.0")
            #expect(FilePath(inspection.path) == output.appending("\(shop)-1.1.0.zip"))
            #expect(inspection.files.map(\.name).contains("manifest.json"))
            // Other tools must compute the same digest.
            let sum = try await Executable("/usr/bin/env").run("sha256sum", inspection.path)
            #expect(sum.stdout.hasPrefix("\(inspection.packageSHA256) "))
            #expect(!inspection.files.contains { $0.name.hasSuffix(".swift") })
            let catalog = try ThrowawayCatalog(copying: host.catalog)
            try catalog.remove("\(shop)-1.0.0.zip")
            try catalog.add(FilePath(inspection.path))
            #expect(try await HostFixture(catalog: catalog).open("app://shop/item/42").page?.title == "Desk lamp")
        }

        @Test(
            "With --json, errors of bundletool are one JSON document",
            arguments: [
                (["inspect", "/nowhere.zip"], 66), (["pack", "/nowhere"], 66), (["pack"], 64), (["unpack"], 64),
                ([], 64),
            ] as [([String], Int32)])
        func refusals(words: [String], status: Int32) async throws {
            let result = try await HostApp.find().bundletool.run(["--json"] + words)
            #expect(result.status == status && result.stderr == "", "\(result)")
            let refusal = try result.json(as: RefusalDocument.self).error
            #expect(!refusal.code.isEmpty && !refusal.message.isEmpty && !refusal.remedy.isEmpty)
        }
    }
}
