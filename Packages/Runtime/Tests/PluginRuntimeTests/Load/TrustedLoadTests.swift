import Dispatch
import Glibc
import Doctor
import PluginCore
import SQLite
import Signing
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry
@testable import Trust

@Suite("Seal and trust verification at load time", .tags(.medium))
struct TrustedLoadTests {
    private let host = TestHost()

    /// Installs a version, and returns it with the file of its library.
    private func installLibrary() async throws -> (PluginBundle, FilePath) {
        let bundle = try await host.install(SamplePackage())
        return (bundle, host.sandbox.folder(of: bundle).appending(BundleShape.libraryPath(of: "libSample.so")))
    }

    private func revoke(_ host: TestHost) throws {
        let file = TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox)
        let key = try TestTeam.key.get().publicKey.id
        _ = try file.change { store throws(AtriumError) in
            try store.revoking(key: key, reason: "it was lost", at: Clock.now())
        }
    }

    @Test("A version whose key was revoked is no longer loaded, in running hosts as in new ones, nor rolled back to")
    func revoked() async throws {
        try await host.install(SamplePackage(), SamplePackage(version: "1.1.0"))
        try revoke(host)
        try await host.refusal(.keyRevoked) { try await host.manager.rollBack(.shop) }
        for manager in [host.manager, host.another().manager] {
            let error = try await failingAsync(.keyRevoked) { try await manager.principal(of: .shop) }
            #expect(error.reason?.values["comment"] == "it was lost")
        }
        #expect(try host.maintenance.verify().map { $0.findings.map(\.code) } == [[.keyRevoked], [.keyRevoked]])
    }

    @Test("A version whose key was revoked no longer provides resources or declarative pages")
    func revokedResources() async throws {
        try await host.install(
            SamplePackage(
                kind: "assets",
                routes: [#"{"pattern": "shop/about", "page": "about", "layout": "main/about"}"#], library: nil,
                files: ["Resources/Pages/main.json": #"{"pages": {"about": {"title": "About", "content": []}}}"#]))
        let router = host.router
        try await router.open("app://shop/about")
        try revoke(host)
        for attempt in [
            { _ = try await router.open("app://shop/about") },
            { _ = try await host.manager.resources(of: .shop) },
        ] as [() async throws -> Void] {
            let error = try await failingAsync(.keyRevoked) { try await attempt() }
            #expect(error.reason?.values["comment"] == "it was lost")
        }
    }

    @Test("Verifying a version finds what would prevent loading it and doesn't load it")
    func asked() async throws {
        let bundle = try await host.install(SamplePackage())
        try host.maintenance.requireVerified(bundle)
        #expect(await !host.manager.running.isRunning(.shop))
        let library = host.sandbox.folder(of: bundle).appending(BundleShape.libraryPath(of: "libSample.so"))
        let bytes = try library.bytes
        try library.remove()
        try library.write(Array(bytes.dropLast()))
        try await host.refusal(.sealBroken) { try host.maintenance.requireVerified(bundle) }
        try revoke(host)
        try await host.refusal(.keyRevoked) { try host.maintenance.requireVerified(bundle) }
    }

    @Test("The loaded library is the verified file, even if another file replaces it meanwhile")
    func sameFile() async throws {
        let (bundle, path) = try await installLibrary()
        let file = try LibraryFile(opening: path, of: bundle.identity)
        defer { file.close() }
        let digest = try #require(bundle.seal.libraryDigest)
        // Another program replaces the file after it was opened; the open file is still the sealed one.
        try FileSystem.remove(path)
        _ = try file.requireSealed(as: digest, known: nil)
        var opened = stat()
        #expect(stat(file.name, &opened) == 0 && Int(opened.st_size) == file.size)
    }

    @Test("A library that another program has open for writing isn't loaded, unless it closes the file at once")
    func writer() async throws {
        let (bundle, path) = try await installLibrary()
        chmod(path.string, 0o644)
        let writer = open(path.string, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
        let error = try await failingAsync(.sealBroken) { try await host.manager.principal(of: .shop) }
        #expect(error.reason == ErrorReason("libraryBeingWritten", ["path": "libSample.so"]))
        // Opening the library blocks this thread, so another one closes the file.
        DispatchQueue(label: "writer").async {
            usleep(30_000)
            close(writer)
        }
        try LibraryFile(opening: path, of: bundle.identity).close()
    }

    @Test("Other programs cannot open a library for writing until it is loaded")
    func lease() async throws {
        let (bundle, path) = try await installLibrary()
        chmod(path.string, 0o644)
        let file = try LibraryFile(opening: path, of: bundle.identity)
        defer { file.close() }
        #expect(open(path.string, O_WRONLY | O_NONBLOCK) == -1)
        #expect(errno == EWOULDBLOCK)
        file.letWrite()
        let writer = open(path.string, O_WRONLY | O_NONBLOCK)
        #expect(writer >= 0)
        close(writer)
    }

    @Test("A library that was changed while it was loaded is rejected on file systems without leases")
    func touched() async throws {
        let (bundle, path) = try await installLibrary()
        let file = try LibraryFile(opening: path, of: bundle.identity)
        defer { file.close() }
        file.letWrite()
        _ = try file.requireSealed(as: try #require(bundle.seal.libraryDigest), known: nil)
        try file.requireUntouched()
        chmod(path.string, 0o644)
        let error = try failing(.sealBroken) { try file.requireUntouched() }
        #expect(error.reason == ErrorReason("libraryChanged", ["path": "libSample.so"]))
    }

    @Test("A library is hashed again only if its file has changed since the last time")
    func stamp() async throws {
        let (bundle, path) = try await installLibrary()
        let digest = try #require(bundle.seal.libraryDigest)
        usleep(50_000)
        let file = try LibraryFile(opening: path, of: bundle.identity)
        let stamp = try #require(try file.requireSealed(as: digest, known: nil))
        file.close()
        // A known stamp means that the file isn't read, so the wrong digest isn't noticed.
        let again = try LibraryFile(opening: path, of: bundle.identity)
        #expect(try again.requireSealed(as: "none", known: stamp) == nil)
        again.close()
        // Size and modification time are restored, but the change time isn't.
        var times = stat()
        try #require(stat(path.string, &times) == 0)
        chmod(path.string, 0o644)
        var bytes = try path.bytes
        bytes[bytes.count - 1] ^= 1
        let writer = open(path.string, O_WRONLY | O_CLOEXEC)
        #expect(write(writer, bytes, bytes.count) == bytes.count)
        futimens(writer, [times.st_atim, times.st_mtim])
        close(writer)
        let changed = try LibraryFile(opening: path, of: bundle.identity)
        defer { changed.close() }
        try failing(.sealBroken) { try changed.requireSealed(as: digest, known: stamp) }
    }

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
        try host.registry.versions.save(.seal, "\(wrong) \(key)", of: bundle)
        _ = try await host.another().manager.resources(of: .shop)
        // A change of the file or of the key with the same ID is noticed.
        try host.registry.versions.save(.seal, "\(wrong) other", of: bundle)
        try await host.another().refusal(.sealBroken) { try await host.another().manager.resources(of: .shop) }
        try host.registry.versions.save(.seal, "\(stamp) \(key)", of: bundle)
        try await host.another().refusal(.sealBroken) { try await host.another().manager.resources(of: .shop) }
    }

    @Test("The end of the session waits until records are written, even if background writing has already begun")
    func written() async throws {
        let bundle = try await host.install(SamplePackage())
        let records = LoadRecords(host.registry)
        let other = try host.database()
        try other.execute("BEGIN EXCLUSIVE")
        // The background task takes the record, and waits for the transaction.
        records.add(.seal, "stamp", of: bundle)
        usleep(100_000)
        let isOver = Flag()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            isOver.raise()
            #expect(throws: Never.self) { try other.execute("COMMIT") }
        }
        records.write()
        #expect(isOver.isRaised)
        #expect(try host.another().registry.active.version(of: .shop)?.seal.sealStamp == "stamp")
    }
}

/// Waits until another change of the file would be noticed.
func settle(_ file: FilePath) async throws {
    while try FileStamp(of: file)?.isStable != true { await Task.yield() }
}
