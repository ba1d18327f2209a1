import PluginCore
import PluginRuntime
import Signing
import Testing
import Zip

@Suite("What is not sealed is refused")
struct UnsealedInstallTests {
    typealias Change = @Sendable (inout [String: [UInt8]]) throws -> Void

    static let changes: [(name: String, code: AtriumError.Code, change: Change)] = [
        ("no seal", .unsigned, { $0[Seal.name] = nil }),
        ("no signature", .unsigned, { $0[Seal.signatureName] = nil }),
        ("a file that is not sealed", .sealBroken, { $0["Resources/evil"] = [1] }),
        ("a file that is not there", .sealBroken, { $0["Resources/Pages/main.json"] = nil }),
        ("another content of the same size", .sealBroken, { $0["Resources/Pages/main.json"] = Array("[]".utf8) }),
        (
            "another library of the same size", .sealBroken,
            { files in
                let place = "lib/\(Platform.triple)/libSample.so"
                var library = try #require(files[place])
                library[library.count - 1] ^= 1
                files[place] = library
            }
        ),
        (
            "another's signature", .teamUnknown,
            { files in
                let seal = try #require(files[Seal.name])
                files[Seal.signatureName] = Array(try SigningKey.generate().sign(seal, trustedComment: "").text.utf8)
            }
        ),
    ]

    @Test("when it is installed, and the sandbox stays as it was", arguments: changes.indices)
    func install(index: Int) async throws {
        let (_, code, change) = Self.changes[index]
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"))
            try await host.manager.install(TestHost.shop)
            let package = try SamplePackage(version: "1.1.0").write(to: host.catalog)
            let archive = try ZipArchive(path: package.string)
            var files: [String: [UInt8]] = [:]
            for entry in archive.entries { files[entry.name] = try archive.contents(of: entry.name, limit: .max) }
            try change(&files)
            var writer = ZipWriter()
            for (name, bytes) in files {
                try writer.add(bytes, as: name, executable: archive.entry(named: name)?.isExecutable == true)
            }
            try writer.write(to: package.string)
            try await host.refusal(code) { try await host.manager.install(TestHost.shop) }
            #expect(try host.versions() == ["1.0.0", nil])
        }
    }
}
