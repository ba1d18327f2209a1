import PluginCore
@testable import PluginRuntime
import Signing
import Testing

@Suite("A bundle that is used, whose seal")
struct SealedLoadTests {
    private func withInstalled(_ body: (TestHost, PluginBundle) async throws -> Void) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(library: await LoadTests.one.value))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            await host.connect(supply: nil)
            try await body(host, bundle)
        }
    }

    /// Has a file of a version be another one.
    private func rewrite(_ path: FilePath, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try path.bytes
        change(&bytes)
        try path.remove()
        try path.write(bytes)
    }

    /// That neither code nor resources come out of the bundle.
    private func refusal(
        _ host: TestHost, _ code: AtriumError.Code, _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        let first = try await host.refusal(code, at: location) { try await host.manager.resources(of: TestHost.shop) }
        let second = try await host.refusal(code, at: location) { try await host.manager.principal(of: TestHost.shop) }
        #expect(first.subject == "com.example.app.shop@1.0.0" && first.subject == second.subject)
        #expect(first.detail == second.detail, sourceLocation: location)
        return first
    }

    @Test("was removed does not load, and has no resources", arguments: [Seal.folder, Seal.name, Seal.signatureName])
    func removed(name: String) async throws {
        try await withInstalled { host, bundle in
            try host.sandbox.folder(of: bundle).appending(name).remove()
            let error = try await refusal(host, .sealBroken)
            #expect(error.detail == "there is no \(name == Seal.folder ? Seal.name : name) in it any more")
        }
    }

    @Test("is another one does not load, and has no resources")
    func changed() async throws {
        try await withInstalled { host, bundle in
            try rewrite(host.sandbox.folder(of: bundle).appending(Seal.name)) { $0.append(UInt8(ascii: " ")) }
            let error = try await refusal(host, .sealBroken)
            #expect(error.detail == "its signature/seal.json is not the one that was installed")
        }
    }

    @Test("has a signature that does not hold, or another key's, does not load, and has no resources")
    func signature() async throws {
        try await withInstalled { host, bundle in
            let (seal, path) = (
                try host.sandbox.folder(of: bundle).appending(Seal.name).bytes,
                host.sandbox.folder(of: bundle).appending(Seal.signatureName)
            )
            try rewrite(path) { $0.append(UInt8(ascii: "\n")) }
            #expect(try await refusal(host, .signatureInvalid).detail.hasPrefix("its \(Seal.signatureName) cannot be"))
            let other = try TestTeam.key.get().sign(Array("else".utf8), trustedComment: "").text
            try rewrite(path) { $0 = Array(other.utf8) }
            #expect(try await refusal(host, .signatureInvalid).detail.hasSuffix("has not signed this content"))
            let stranger = try SigningKey.generate().sign(seal, trustedComment: "").text
            try rewrite(path) { $0 = Array(stranger.utf8) }
            #expect(try await refusal(host, .sealBroken).detail.hasPrefix("its seal was signed with key "))
        }
    }

    @Test("has been verified is not read again while nobody touches it, by no process")
    func known() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(Seal.name)
            try await settle(path)
            _ = try await host.manager.principal(of: TestHost.shop)
            await host.manager.deactivateAll()
            let key = try TestTeam.key.get().publicKey.base64
            let stamp = try #require(try InstalledSeal(of: bundle, in: host.sandbox).stamp()).text
            #expect(try host.registry.active(TestHost.shop)?.seal.sealStamp == "\(stamp) \(key)")
            // Were it read, it would be found to be another one.
            try rewrite(path) { $0.append(UInt8(ascii: " ")) }
            let wrong = try #require(try InstalledSeal(of: bundle, in: host.sandbox).stamp()).text
            try host.registry.keep([VersionStamp(bundle: bundle, part: .seal, text: "\(wrong) \(key)")])
            _ = try await host.another().manager.resources(of: TestHost.shop)
            // Touching shows, and so does another key of the same id.
            try host.registry.keep([VersionStamp(bundle: bundle, part: .seal, text: "\(wrong) other")])
            try await host.another().refusal(.sealBroken) {
                try await host.another().manager.resources(of: TestHost.shop)
            }
            try host.registry.keep([VersionStamp(bundle: bundle, part: .seal, text: "\(stamp) \(key)")])
            try await host.another().refusal(.sealBroken) {
                try await host.another().manager.resources(of: TestHost.shop)
            }
        }
    }

    /// Waits until a change of the file would show.
    private func settle(_ file: FilePath) async throws {
        while try FileStamp(of: file)?.isSettled != true { await Task.yield() }
    }
}
