import PluginCore
import PluginRuntime
import Synchronization
import Testing

@Suite("What waits in a file")
struct DeferredFileTests {
    /// The file of a sandbox, and what was told of it.
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

    private static func record(_ url: String) -> DeferredRecord {
        DeferredRecord(url: url, reason: "catalogUnreachable", since: 1, until: 2)
    }

    @Test("is there for the next process, in the order it was kept")
    func survives() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            for name in ["b", "a", "a/é?x=\"1\""] {
                try scene.file().change { $0.append(Self.record("app://\(name)")) }
            }
            #expect(scene.file().records().map(\.url) == ["app://b", "app://a", "app://a/é?x=\"1\""])
            #expect(scene.told.isEmpty)
        }
    }

    @Test("is no file when nothing waits, before and after, and asking makes none")
    func empty() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            #expect(scene.file().records() == [])
            try scene.file().change { #expect($0.isEmpty) }
            #expect(!scene.sandbox.root.exists)
            try scene.file().change { $0.append(Self.record("app://a")) }
            #expect(scene.path.exists)
            try scene.file().change { $0.removeAll() }
            #expect(!scene.path.exists)
        }
    }

    @Test(
        "that can not be read is told and set aside, and the next request is kept all the same",
        arguments: [
            "", "{", "[]", #"{"formatVersion": 2, "requests": []}"#, #"{"formatVersion": 1, "requests": [{"url": 7}]}"#,
        ])
    func unreadable(text: String) async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.path.write(text)
            #expect(scene.file().records() == [])
            #expect(scene.told.map(\.code) == [.documentInvalid])
            #expect(scene.told.first?.subject == scene.path.string)
            #expect(try FilePath(scene.path.string + ".unreadable").text == text)
            try scene.file().change { $0.append(Self.record("app://a")) }
            #expect(scene.file().records().map(\.url) == ["app://a"])
            #expect(scene.told.count == 1)
        }
    }

    @Test("that is no file is told, and what is kept takes its place")
    func folder() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.path.makeFolder()
            try scene.file().change { $0.append(Self.record("app://a")) }
            #expect(scene.file().records().map(\.url) == ["app://a"])
            #expect(scene.told.count == 1)
        }
    }

    @Test("stays as it was when a change fails")
    func failing() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try scene.file().change { $0.append(Self.record("app://a")) }
            let before = try scene.path.bytes
            #expect(throws: AtriumError.self) {
                try scene.file().change { records in
                    records.removeAll()
                    throw AtriumError(.deferredFull, "app://b")
                }
            }
            #expect(try scene.path.bytes == before)
            #expect(try scene.path.parent.names == ["deferred.json"])
        }
    }

    @Test("loses nothing when many keep something at once")
    func atOnce() async throws {
        try await withFolder { root in
            let scene = Scene(root)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { try scene.file().change { $0.append(Self.record("app://\(number)")) } }
                }
                try await group.waitForAll()
            }
            #expect(Set(scene.file().records().map(\.url)).count == 20)
        }
    }
}
