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

            struct Signature: Decodable {
                let signedAt: String?
            }

            let path: String
            let packageSHA256: String
            let identifier: String
            let version: String
            let files: [File]
            let signature: Signature
        }

        /// The folder and the library of a plugin as its author has them, in a temporary folder.
        private struct Author {
            let folder = Result { try ThrowawayFolder() }
            let host = Result { try HostApp.find() }

            func prepare(_ name: String, from package: String) throws -> (plugin: FilePath, library: FilePath) {
                let (folder, host) = (try folder.get(), try host.get())
                let package = try PackageEditor(host.catalog.appending(package))
                let library = try #require(package.fileNames.first { $0.hasSuffix("/lib\(name).so") })
                for file in package.fileNames where file != library && !file.hasPrefix("signature/") {
                    try folder.write(try package.bytes(of: file), to: "\(name)/\(file)")
                }
                // An author's folder also contains sources, which are not packed.
                try folder.write("// code\n", to: "\(name)/Sources/\(name)/Main.swift")
                return (folder.appending(name), try folder.write(try package.bytes(of: library), to: "lib\(name).so"))
            }

            /// Returns the options for signing by the sample plugins' team; without a time, the current time is used.
            func signing(at time: String? = nil) throws -> [String] {
                let identity = try #require(SigningIdentity.development, "Scripts/build has made no key")
                let key = try identity.writeKey(in: folder.get())
                return ["--key", key.string, "--team", identity.team] + (time.map { ["--signed-at", $0] } ?? [])
            }

            /// Returns the options for the libraries that the plugins link.
            func dependency() throws -> [String] {
                ["--dependency", try host.get().catalog.appending("\(money)-1.0.0.zip").string]
            }
        }

        @Test("The host installs and opens a plugin that bundletool has packed")
        func packed() async throws {
            let author = Author()
            let (plugin, library) = try author.prepare("Shop", from: "\(shop)-1.1.0.zip")
            let output = try author.folder.get().appending("made/catalog")
            let host = try HostApp.find()
            let result = try await host.bundletool.run(
                ["pack", plugin.string, "--library", library.string, "--output", output.string, "--json"]
                    + author.signing() + author.dependency())
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
            "Packing the same content yields the same bytes at any time and place",
            arguments: [
                ("Account", "com.example.app.account-1.0.0.zip"), ("Orders", "com.example.app.orders-1.0.0.zip"),
                ("Shop", "com.example.app.shop-1.0.0.zip"), ("Shop", "com.example.app.shop-1.1.0.zip"),
                ("Money", "com.example.lib.money-1.0.0.zip"), ("Money", "com.example.lib.money-1.1.0.zip"),
            ])
        func reproducible(name: String, package: String) async throws {
            let host = try HostApp.find()
            let shipped = try PlainFile(host.catalog.appending(package)).bytes
            // The signing time is the only part of a package that is not content.
            let inspected = try await host.bundletool.run("inspect", host.catalog.appending(package).string, "--json")
            let signedAt = try #require(try inspected.json(as: Inspection.self).signature.signedAt)
            for date in [Date(timeIntervalSince1970: 1_000_000_000), Date(timeIntervalSince1970: 1_700_000_001)] {
                let author = Author()
                let (plugin, library) = try author.prepare(name, from: package)
                for file in [library, plugin.appending("manifest.json")] {
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.string)
                }
                let output = try author.folder.get().path
                let result = try await host.bundletool.run(
                    ["pack", plugin.string, "--library", library.string, "--output", output.string]
                        + author.signing(at: signedAt) + author.dependency())
                try #require(result.status == 0, "\(result)")
                let bytes = try PlainFile(output.appending(package)).bytes
                #expect(bytes == shipped, "\(name) packed on \(date) is another archive")
            }
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
