import Dispatch
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Signing
import Testing

@Suite("A bundle that is loaded")
struct TrustedLoadTests {
    private func withInstalled(_ body: (TestHost, PluginBundle) async throws -> Void) async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            await host.connect(supply: nil)
            try await body(host, bundle)
        }
    }

    private func revoke(_ host: TestHost) throws {
        let file = TrustFile(shipped: host.root.appending("trust.json"), sandbox: host.sandbox)
        let key = try TestTeam.key.get().publicKey.id
        _ = try file.change { store throws(AtriumError) in
            try store.revoking(key: key, reason: "it was lost", at: Clock.now())
        }
    }

    @Test("by a key that was revoked since is not loaded any more, with the reason, in hosts that run too")
    func revoked() async throws {
        try await withInstalled { host, _ in
            try revoke(host)
            for manager in [host.manager, try host.another().manager] {
                await manager.connect(SilentNavigator(), supply: nil)
                let error = try await #require(throws: AtriumError.self) {
                    try await manager.principal(of: TestHost.shop)
                }
                #expect(error.code == .keyRevoked)
                #expect(error.detail.hasSuffix(": it was lost"))
            }
            let found = try await host.manager.verify()
            #expect(found.map { $0.findings.map(\.code) } == [[.keyRevoked]])
        }
    }

    @Test("by a key that was revoked since gives out no resources and no page that is data either")
    func revokedResources() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(
                    kind: "assets",
                    routes: [#"{"pattern": "shop/about", "page": "about", "layout": "main/about"}"#], library: nil,
                    files: ["Resources/Pages/main.json": #"{"pages": {"about": {"title": "About", "content": []}}}"#]))
            try await host.manager.install(TestHost.shop)
            let (router, _) = await host.connect(supply: nil)
            try await router.open("app://shop/about")
            try revoke(host)
            for attempt in [
                { _ = try await router.open("app://shop/about") },
                { _ = try await host.manager.resources(of: TestHost.shop) },
            ] as [() async throws -> Void] {
                let error = try await #require(throws: AtriumError.self) { try await attempt() }
                #expect(error.code == .keyRevoked)
                #expect(error.detail.hasSuffix(": it was lost"))
            }
        }
    }

    @Test("can be asked before for all that would keep it from being loaded, and is not loaded by that")
    func asked() async throws {
        try await withInstalled { host, bundle in
            try await host.manager.requireVerified(bundle)
            #expect(await !host.manager.isRunning(TestHost.shop))
            let library = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            let bytes = try library.bytes
            try library.remove()
            try library.write(Array(bytes.dropLast()))
            try await host.refusal(.sealBroken) { try await host.manager.requireVerified(bundle) }
            try revoke(host)
            try await host.refusal(.keyRevoked) { try await host.manager.requireVerified(bundle) }
        }
    }

    @Test("before is not what a rollback returns to when its key was revoked")
    func rollBack() async throws {
        try await withInstalled { host, _ in
            try host.offer(SamplePackage(version: "1.1.0"))
            try await host.manager.update(TestHost.shop)
            try revoke(host)
            try await host.refusal(.keyRevoked) { try await host.manager.rollBack(TestHost.shop) }
        }
    }

    @Test("is the file that was checked, whatever takes its place meanwhile")
    func sameFile() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            let file = try LibraryFile(opening: path, of: bundle.identity)
            defer { file.close() }
            let digest = try #require(bundle.seal.libraryDigest)
            // Somebody puts another file in its place after it was opened: what is open is what was sealed.
            try FileSystem.remove(path)
            _ = try file.requireSealed(as: digest, known: nil)
            var opened = stat()
            #expect(stat(file.name, &opened) == 0 && Int(opened.st_size) == file.size)
        }
    }

    @Test("is not loaded while somebody has its library open for writing")
    func writer() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            chmod(path.string, 0o644)
            let writer = open(path.string, O_WRONLY | O_CLOEXEC)
            try #require(writer >= 0)
            let error = try await #require(throws: AtriumError.self) {
                try await host.manager.principal(of: TestHost.shop)
            }
            #expect(error.code == .sealBroken)
            #expect(error.detail == "somebody writes to libSample.so")
            close(writer)
        }
    }

    @Test("waits for a writer that has the library open for a moment, as a process does that is being started")
    func momentaryWriter() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            chmod(path.string, 0o644)
            let writer = open(path.string, O_WRONLY | O_CLOEXEC)
            try #require(writer >= 0)
            // On a thread of its own, because the opening holds this one.
            DispatchQueue(label: "writer").async {
                usleep(30_000)
                close(writer)
            }
            try LibraryFile(opening: path, of: bundle.identity).close()
        }
    }

    @Test("can be written by nobody from before its stamp is taken until it was loaded")
    func lease() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
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
    }

    @Test("is refused when somebody has written to its library while it was loaded, where nobody can be kept out")
    func touched() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            let file = try LibraryFile(opening: path, of: bundle.identity)
            defer { file.close() }
            file.letWrite()
            _ = try file.requireSealed(as: try #require(bundle.seal.libraryDigest), known: nil)
            try file.requireUntouched()
            chmod(path.string, 0o644)
            let error = #expect(throws: AtriumError.self) { try file.requireUntouched() }
            #expect(error?.code == .sealBroken)
            #expect(error?.detail == "somebody has touched libSample.so while it was loaded")
        }
    }

    @Test("is hashed unless its file has not been touched since it last was, and touching shows")
    func stamp() async throws {
        try await withInstalled { host, bundle in
            let path = host.sandbox.folder(of: bundle).appending(LibraryPreflight.place(of: "libSample.so"))
            let digest = try #require(bundle.seal.libraryDigest)
            usleep(50_000)
            let file = try LibraryFile(opening: path, of: bundle.identity)
            let stamp = try #require(try file.requireSealed(as: digest, known: nil))
            file.close()
            // Known by its stamp, it is not read; so another digest is not noticed.
            let again = try LibraryFile(opening: path, of: bundle.identity)
            #expect(try again.requireSealed(as: "none", known: stamp) == nil)
            again.close()
            // The content and the time of the last change are as before; that somebody was there shows all the same.
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
            let error = #expect(throws: AtriumError.self) { try changed.requireSealed(as: digest, known: stamp) }
            #expect(error?.code == .sealBroken)
        }
    }
}
