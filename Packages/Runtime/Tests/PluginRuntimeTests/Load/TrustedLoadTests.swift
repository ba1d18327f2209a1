import Dispatch
import Glibc
import Doctor
import PluginCore
@testable import BundleFormat
@testable import Registry
@testable import Trust
@testable import HostSystem
@testable import PluginRuntime
import Signing
import Testing

@Suite("Trust verification at load time", .tags(.medium))
struct TrustedLoadTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

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

    @Test("A version whose key was revoked is no longer loaded, in running hosts as in new ones")
    func revoked() async throws {
        try await host.install(SamplePackage())
        try revoke(host)
        for manager in [host.manager, try host.another().manager] {
            let error = try await failingAsync(.keyRevoked) { try await manager.principal(of: .shop) }
            #expect(error.reason?.values["comment"] == "it was lost")
        }
        #expect(try host.maintenance.verify().map { $0.findings.map(\.code) } == [[.keyRevoked]])
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

    @Test("A rollback to a version whose key was revoked is rejected")
    func rollBack() async throws {
        try await host.install(SamplePackage(), SamplePackage(version: "1.1.0"))
        try revoke(host)
        try await host.refusal(.keyRevoked) { try await host.manager.rollBack(.shop) }
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

    @Test("A library that another program has open for writing isn't loaded")
    func writer() async throws {
        let (_, path) = try await installLibrary()
        chmod(path.string, 0o644)
        let writer = open(path.string, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
        let error = try await failingAsync(.sealBroken) { try await host.manager.principal(of: .shop) }
        #expect(error.reason == ErrorReason("libraryBeingWritten", ["path": "libSample.so"]))
        close(writer)
    }

    @Test("Opening a library waits for a program that has the file open for writing only briefly")
    func momentaryWriter() async throws {
        let (bundle, path) = try await installLibrary()
        chmod(path.string, 0o644)
        let writer = open(path.string, O_WRONLY | O_CLOEXEC)
        try #require(writer >= 0)
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
}
