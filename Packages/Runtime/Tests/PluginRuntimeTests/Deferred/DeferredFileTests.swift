#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import Synchronization
import Testing
@testable import Registry

@Suite("Deferred requests in a file", .tags(.large))
struct DeferredFileTests {
    /// A sandbox with its file of deferred requests, and the errors reported for it.
    private final class Scene: Sendable {
        let sandbox: Sandbox
        private let heard = Mutex<[AtriumError]>([])

        init(_ root: FilePath) { sandbox = Sandbox(root: root.appending("sandbox")) }

        var told: [AtriumError] { heard.withLock { $0 } }
        var path: FilePath { sandbox.hostData.appending("Library/deferred.json") }

        func file() -> DeferredFile {
            DeferredFile(sandbox) { [self] error in heard.withLock { $0.append(error) } }
        }
    }

    /// Adds a request to the queue.
    private static func add(_ address: String, to queue: inout DeferredQueue) throws {
        try queue.add(ResourceURI(address), for: .plugin("com.example.app.shop"), at: 7)
    }

    @Test("Deferred requests are available to the next process in their original order")
    func survives() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            for name in ["b", "a", "a/é?x=\"1\""] {
                try scene.file().change { try Self.add("app://\(name)", to: &$0) }
            }
            #expect(try scene.file().load().requests.map(\.address) == ["app://b", "app://a", "app://a/é?x=\"1\""])
            #expect(
                try scene.file().load().requests.map(\.origin)
                    == Array(repeating: .plugin(TestHost.shop.text), count: 3))
            #expect(scene.told.isEmpty)
        }
    }

    @Test("A request that one host's router defers is opened by the next host's router")
    func router() async throws {
        try await withHost { host in
            let router = host.router
            try router.deferOpening(of: ResourceURI("app://shop"), for: .external, at: 1_000)
            let page = #"{"pattern": "shop", "page": "item", "layout": "main/item", "exposure": "external"}"#
            try host.offer(
                SamplePackage(
                    kind: "assets", routes: [page], library: nil,
                    files: ["Resources/Pages/main.json": #"{"pages": {"item": {"title": "item", "content": []}}}"#]))
            let other = try host.another()
            let report = try await other.router.openDeferred(at: 1_001)
            #expect(report.opened.map(\.address) == ["app://shop"])
            #expect(await other.navigator.pages.last?.title == "item")
            #expect(try DeferredFile(other.sandbox) { _ in }.load().requests == [])
        }
    }

    @Test("Without deferred requests there is no file, and reading creates none")
    func empty() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            #expect(try scene.file().load().requests == [])
            try scene.file().change { #expect($0.requests.isEmpty) }
            #expect(!scene.sandbox.root.exists)
            try scene.file().change { try Self.add("app://a", to: &$0) }
            #expect(scene.path.exists)
            try scene.file().change { $0 = DeferredQueue() }
            #expect(!scene.path.exists)
        }
    }

    @Test(
        "A malformed file is reported and set aside, and the next request is saved anyway",
        arguments: [
            "", "{", "[]", #"{"formatVersion": 0, "queue": {"requests": []}}"#,
            #"{"formatVersion": 1, "queue": {"requests": [{"address": 7}]}}"#,
        ])
    func unreadable(text: String) async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.path.write(text)
            #expect(try scene.file().load().requests == [])
            #expect(scene.told.map(\.code) == [.documentInvalid])
            #expect(scene.told.first?.subject == scene.path.string)
            #expect(try FilePath(scene.path.string + ".unreadable").text == text)
            try scene.file().change { try Self.add("app://a", to: &$0) }
            #expect(try scene.file().load().requests.map(\.address) == ["app://a"])
            #expect(scene.told.count == 1)
        }
    }

    @Test("A file of a newer host is left unchanged, and reading or changing it fails")
    func newer() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            let text = #"{"formatVersion": 2, "queue": 7}"#
            try scene.path.write(text)
            let error = try #require(throws: AtriumError.self) { _ = try scene.file().load() }
            #expect(
                error.code == .documentInvalid && error.reason == ErrorReason("formatUnknown", ["format": 2]),
                "\(error)")
            #expect(throws: AtriumError.self) { try scene.file().change { try Self.add("app://a", to: &$0) } }
            #expect(try scene.path.text == text)
            #expect(try scene.path.parent.names == ["deferred.json"])
            #expect(scene.told.isEmpty)
        }
    }

    @Test("A temporarily unreadable file is an error for its reader and isn't changed")
    func unreadableNow() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.file().change { try Self.add("app://a", to: &$0) }
            #expect(chmod(scene.path.string, 0) == 0)
            await #expect(processExitsWith: .success) { [root = root.string as String] in
                let scene = Scene(FilePath(root))
                try becomeOwner(of: FilePath(root))
                #expect(throws: AtriumError.self) { _ = try scene.file().load() }
                #expect(throws: AtriumError.self) { try scene.file().change { $0 = DeferredQueue() } }
                #expect(scene.told.isEmpty)
            }
            #expect(chmod(scene.path.string, 0o600) == 0)
            #expect(try scene.path.parent.names == ["deferred.json"])
            #expect(try scene.file().load().requests.map(\.address) == ["app://a"])
        }
    }

    @Test("Files that were set aside are never overwritten")
    func asideAgain() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            for text in ["one", "two", "three"] {
                try scene.path.write(text)
                #expect(try scene.file().load().requests == [])
            }
            let asides = [".unreadable", ".unreadable.2", ".unreadable.3"]
            let texts = try asides.map { try FilePath(scene.path.string + $0).text }
            #expect(texts == ["one", "two", "three"])
            #expect(scene.told.last?.reason == ErrorReason("addressesLost", ["file": "deferred.json.unreadable.3"]))
        }
    }

    @Test("A malformed file isn't set aside while another process changes it")
    func asideLocked() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.path.write("{")
            let busy = open(scene.path.parent.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(flock(busy, LOCK_EX) == 0)
            let error = try #require(throws: AtriumError.self) { _ = try scene.file().load() }
            #expect(error.code == .sandboxBusy)
            #expect(try scene.path.text == "{")
            // A program that another test starts right now may have a copy of the descriptor.
            try #require(flock(busy, LOCK_UN) == 0)
            close(busy)
            #expect(try scene.file().load().requests == [])
        }
    }

    @Test("A folder in place of the file is reported and replaced")
    func folder() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.path.makeFolder()
            try scene.file().change { try Self.add("app://a", to: &$0) }
            #expect(try scene.file().load().requests.map(\.address) == ["app://a"])
            #expect(scene.told.count == 1)
        }
    }

    @Test("The file is unchanged if a change fails")
    func failing() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.file().change { try Self.add("app://a", to: &$0) }
            let before = try scene.path.bytes
            #expect(throws: AtriumError.self) {
                try scene.file().change { queue in
                    queue = DeferredQueue()
                    throw AtriumError(.deferredFull, "app://b")
                }
            }
            #expect(try scene.path.bytes == before)
            #expect(try scene.path.parent.names == ["deferred.json"])
        }
    }

    @Test("Concurrent changes lose no request")
    func atOnce() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { try scene.file().change { try Self.add("app://\(number)", to: &$0) } }
                }
                try await group.waitForAll()
            }
            #expect(try Set(scene.file().load().requests.map(\.address)).count == 20)
        }
    }
}
