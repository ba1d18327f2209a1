import PluginCore
@testable import BundleFormat
@testable import Registry
@testable import PluginRuntime
import Testing
import Zip

@Suite("Limits of sealed and signed packages", .tags(.medium))
struct LimitTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    /// Installs a package that must be rejected before anything is created.
    private func refuses(
        _ package: SamplePackage, saying words: String, changing change: (FilePath) throws -> Void = { _ in }
    ) async throws {
        let host = try TestHost()
        let paths = try host.offer(package)
        for path in paths { try change(path) }
        let before = try host.tree
        let error = try await host.refusal(.packageInvalid) {
            try await host.manager.transactions.install.run(packageAt: try #require(paths.first))
        }
        #expect(error.reason?.description.contains(words) == true, "\(error)")
        #expect(try host.tree == before)
    }

    @Test("A package with too many files is rejected, and one with the maximum is accepted")
    func count() async throws {
        var package = SamplePackage(kind: "assets", library: nil)
        // Folders, the manifest and the seal count too.
        for number in 0..<SealedPackage.entryLimit { package.files["Resources/\(number)"] = "" }
        try await refuses(package, saying: "entries, \(SealedPackage.entryLimit) allowed")
        // These four make room for the manifest, the seal, the signature and the sample's own file.
        for number in 0..<4 { package.files["Resources/\(number)"] = nil }
        let path = try package.write(to: folder)
        #expect(throws: Never.self) { try SealedPackage(opening: path) }
    }

    @Test("A package with an implausible compression ratio is rejected")
    func bomb() async throws {
        var package = SamplePackage(kind: "assets", library: nil, method: .deflated)
        package.files["Resources/zeros"] = String(
            repeating: String(repeating: "\0", count: 1_000) + "1", count: 1 << 14)
        try await refuses(package, saying: "1000 times as many allowed") { path in
            try path.write(Self.unlikely("Resources/zeros", in: path))
        }
    }

    @Test("A package whose files are too large in total is rejected")
    func total() async throws {
        var package = SamplePackage(kind: "assets", library: nil, method: .deflated)
        let size: UInt32 = 800 << 20
        var random = SystemRandomNumberGenerator()
        // Large enough that no single file has a suspicious compression ratio.
        let noise = String(
            decoding: (0..<(1 << 20)).map { _ in UInt8.random(in: 32...126, using: &random) }, as: UTF8.self)
        for number in 0..<6 { package.files["Resources/large\(number)"] = noise }
        try await refuses(package, saying: "\(SealedPackage.contentLimit) allowed") { path in
            try path.write(Self.declaring(size, for: "Resources/large", in: path.bytes))
        }
    }

    @Test("A package with a path above the limit is rejected, and one with the longest names can be uninstalled again")
    func names() async throws {
        let folders = String(repeating: String(repeating: "d", count: 250) + "/", count: 4)
        let file = "Resources/" + folders + String(repeating: "f", count: 10)
        var package = SamplePackage(
            identifier: try #require(BundleIdentifier("com.example." + String(repeating: "e", count: 116))),
            version: "1.0.0-" + String(repeating: "a", count: 116), kind: "assets", library: nil, files: [file: "x"])
        try #require(file.utf8.count == 1024)
        let host = try TestHost()
        try await host.manager.transactions.install.run(packageAt: try #require(host.offer(package).first))
        try await host.manager.uninstall(package.identifier)
        #expect(try host.sandbox.plugins.names.isEmpty)
        package.files = [file + "f": "x"]
        try failing(.sealBroken) { try package.write(to: folder) }
    }

    /// Returns the archive with a file that claims to unpack to more than a thousand times its size.
    static func unlikely(_ name: String, in archive: FilePath) throws -> [UInt8] {
        let entry = try #require(try ZipArchive(path: archive.string).entry(named: name))
        return declaring(UInt32(entry.compressedSize * 1_020), for: name, in: try archive.bytes)
    }

    /// Returns the archive with another uncompressed size for some files, in both of its headers.
    static func declaring(_ size: UInt32, for prefix: String, in archive: [UInt8]) -> [UInt8] {
        var bytes = archive
        let name = Array(prefix.utf8)
        for start in bytes.indices.dropLast(46 + name.count) where bytes[start] == 0x50 && bytes[start + 1] == 0x4B {
            let (nameOffset, sizeOffset) =
                switch (bytes[start + 2], bytes[start + 3]) {
                case (3, 4): (30, 22)
                case (1, 2): (46, 24)
                default: (0, 0)
                }
            guard nameOffset > 0, Array(bytes[(start + nameOffset)...].prefix(name.count)) == name else { continue }
            for byte in 0..<4 { bytes[start + sizeOffset + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
        }
        return bytes
    }
}
