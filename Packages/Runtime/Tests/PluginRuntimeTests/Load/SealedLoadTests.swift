import PluginCore
@testable import BundleFormat
@testable import Registry
@testable import PluginRuntime
import Signing
import Testing

@Suite("Seal verification at load time", .tags(.medium))
struct SealedLoadTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private func install() async throws -> PluginBundle {
        try await host.install(SamplePackage(library: await LoadTests.one.value))
    }

    /// Replaces a file of a version by a changed copy.
    private func rewrite(_ path: FilePath, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try path.bytes
        change(&bytes)
        try path.remove()
        try path.write(bytes)
    }

    /// Expects that loading code and reading resources fail with the same error.
    private func refusal(
        _ host: TestHost, _ code: AtriumError.Code, _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        let first = try await host.refusal(code, at: location) { try await host.manager.resources(of: .shop) }
        let second = try await host.refusal(code, at: location) { try await host.manager.principal(of: .shop) }
        #expect(first.subject == "com.example.app.shop@1.0.0" && first.subject == second.subject)
        #expect(first.reason?.description == second.reason?.description, sourceLocation: location)
        return first
    }

    @Test(
        "A bundle whose seal was removed or replaced neither loads nor has resources",
        arguments: [
            (Seal.folder, "partGone(name: \(Seal.name))"), (Seal.name, "partGone(name: \(Seal.name))"),
            (Seal.signatureName, "partGone(name: \(Seal.signatureName))"),
            (nil, "sealNotInstalled(name: \(Seal.name))"),
        ])
    func removed(name: String?, reason: String) async throws {
        let folder = host.sandbox.folder(of: try await install())
        if let name {
            try folder.appending(name).remove()
        } else {
            try rewrite(folder.appending(Seal.name)) { $0.append(UInt8(ascii: " ")) }
        }
        #expect(try await refusal(host, .sealBroken).reason?.description == reason)
    }

    @Test("A bundle with an invalid signature, or one of another key, neither loads nor has resources")
    func signature() async throws {
        let bundle = try await install()
        let (seal, path) = (
            try host.sandbox.folder(of: bundle).appending(Seal.name).bytes,
            host.sandbox.folder(of: bundle).appending(Seal.signatureName)
        )
        try rewrite(path) { $0.append(UInt8(ascii: "\n")) }
        #expect(try await refusal(host, .signatureInvalid).reason?.name == "signatureUnreadable")
        let other = try TestTeam.key.get().sign(Array("else".utf8), trustedComment: "").text
        try rewrite(path) { $0 = Array(other.utf8) }
        #expect(try await refusal(host, .signatureInvalid).reason?.name == "contentNotSigned")
        let stranger = try SigningKey.generate().sign(seal, trustedComment: "").text
        try rewrite(path) { $0 = Array(stranger.utf8) }
        #expect(try await refusal(host, .sealBroken).reason?.name == "sealKeyDiffers")
    }

    @Test("A verified seal isn't read again by any process until its file changes")
    func known() async throws {
        let bundle = try await install()
        let path = host.sandbox.folder(of: bundle).appending(Seal.name)
        try await settle(path)
        _ = try await host.manager.principal(of: .shop)
        await host.manager.deactivateAll()
        let key = try TestTeam.key.get().publicKey.base64
        let stamp = try #require(try InstalledSeal(of: bundle, in: host.sandbox).stamp())
        #expect(try host.registry.active.version(of: .shop)?.seal.sealStamp == "\(stamp) \(key)")
        // Reading the seal would reveal the change.
        try rewrite(path) { $0.append(UInt8(ascii: " ")) }
        let wrong = try #require(try InstalledSeal(of: bundle, in: host.sandbox).stamp())
        try host.registry.versions.save([VersionStamp(bundle: bundle, part: .seal, text: "\(wrong) \(key)")])
        _ = try await host.another().manager.resources(of: .shop)
        // A change of the file or of the key with the same ID is noticed.
        try host.registry.versions.save([VersionStamp(bundle: bundle, part: .seal, text: "\(wrong) other")])
        try await host.another().refusal(.sealBroken) { try await host.another().manager.resources(of: .shop) }
        try host.registry.versions.save([VersionStamp(bundle: bundle, part: .seal, text: "\(stamp) \(key)")])
        try await host.another().refusal(.sealBroken) { try await host.another().manager.resources(of: .shop) }
    }
}
