import Glibc
import HostSystem
import PluginCore
import BundleStorage
import PluginRuntime
import Synchronization
import Testing

extension DefaultsKey<Int> {
    static var count: Self { Self("count", default: 0) }
}

extension DefaultsKey<String> {
    fileprivate static var one: Self { Self("one", default: "") }
    fileprivate static var other: Self { Self("other", default: "") }
}

@Suite("Defaults in a file", .tags(.large))
struct DefaultsFileTests {
    /// A container with its defaults, and the errors reported for them.
    private final class Scene: Sendable {
        let container: BundleContainer
        private let heard = Mutex<[AtriumError]>([])

        init(_ root: FilePath) throws {
            container = BundleContainer(root: root.appending("container"))
            for folder in [container.root, path.parent] where !folder.exists {
                try #require(mkdir(folder.string, 0o755) == 0)
            }
        }

        var told: [AtriumError] { heard.withLock { $0 } }
        var path: FilePath { container.root.appending("Library/defaults.json") }

        func file() -> DefaultsFile {
            DefaultsFile(in: container) { [self] error in heard.withLock { $0.append(error) } }
        }
    }

    private let temporary = TemporaryFolder()
    private var root: FilePath { temporary.path }
    private let scene: Scene

    init() throws { scene = try Scene(temporary.path) }

    @Test("A value or name that the host would not read again is an error, and the previous values stay")
    func unreadable() throws {
        try scene.file().set("e", for: .one)
        let marked = "e" + String(repeating: "\u{301}", count: 31)
        let named = DefaultsKey(marked, default: 0)
        #expect(throws: AtriumError.self) { try scene.file().set(marked, for: .one) }
        #expect(throws: AtriumError.self) { try scene.file().set(1, for: named) }
        #expect(try scene.file()[.one] == "e" && scene.told.isEmpty)
    }

    @Test("Values are available to the next process")
    func survives() async throws {
        try scene.file().set("é \"\n\u{2028}", for: .one)
        try scene.file().set(7, for: .count)
        await #expect(processExitsWith: .success) { [root = root.string as String] in
            let scene = try Scene(FilePath(root))
            #expect(try scene.file()[.one] == "é \"\n\u{2028}" && scene.file()[.count] == 7)
            try scene.file().set("child", for: .other)
        }
        #expect(try scene.file().values().texts.keys.sorted() == ["count", "one", "other"])
        #expect(try scene.file()[.other] == "child")
        #expect(try scene.path.parent.names == ["defaults.json"])
        #expect(scene.told.isEmpty)
    }

    @Test("Without values there is no file, and in an erased container none can be set")
    func empty() async throws {
        #expect(try scene.file()[.count] == 0)
        try scene.file().change { #expect($0 == DefaultsValues()) }
        #expect(try scene.path.parent.names == [])
        try #require(rmdir(scene.path.parent.string) == 0)
        #expect(try scene.file()[.count] == 0)
        let error = #expect(throws: AtriumError.self) { try scene.file().set(1, for: .count) }
        #expect(error?.code == .inputOutput && !scene.path.parent.exists)
    }

    @Test(
        "A damaged file is reported and set aside, and the next value is stored anyway",
        arguments: [
            "", "{", "[]", #"{"formatVersion": 0, "values": {}}"#, #"{"formatVersion": 1, "values": {"a": 7}}"#,
            #"{"formatVersion": 1, "values": {"a": "1", "a": "2"}}"#,
            String(repeating: " ", count: DefaultsFile.sizeLimit + 1),
        ])
    func damaged(text: String) async throws {
        try scene.path.write(text)
        #expect(try scene.file()[.count] == 0)
        #expect(scene.told.map(\.code) == [.documentInvalid])
        #expect(scene.told.first?.subject == scene.path.string)
        #expect(scene.told.first?.reason == ErrorReason("settingsLost", ["file": "defaults.json.unreadable"]))
        #expect(try FilePath(scene.path.string + ".unreadable").text == text)
        try scene.file().set(1, for: .count)
        #expect(try scene.file()[.count] == 1)
        #expect(scene.told.count == 1)
    }

    @Test("A link in place of the file is set aside and never followed")
    func link() async throws {
        let outside = root.appending("outside.json")
        try outside.write(#"{"formatVersion": 1, "values": {"count": "9"}}"#)
        try #require(symlink(outside.string, scene.path.string) == 0)
        try scene.file().update(.count) { $0 += 1 }
        #expect(try scene.file()[.count] == 1 && scene.told.count == 1)
        #expect(try outside.text.contains("\"9\""))
    }

    @Test("A file of a newer host is left unchanged, and reading or changing it fails")
    func newer() async throws {
        let text = #"{"formatVersion": 2, "values": 7}"#
        try scene.path.write(text)
        let error = #expect(throws: AtriumError.self) { try scene.file()[.count] }
        #expect(error?.code == .documentInvalid && error?.reason == ErrorReason("formatUnknown", ["format": 2]))
        #expect(throws: AtriumError.self) { try scene.file().set(1, for: .count) }
        #expect(try scene.path.text == text)
        #expect(try scene.path.parent.names == ["defaults.json"] && scene.told.isEmpty)
    }

    @Test("A temporarily unreadable file is an error for its reader and isn't changed")
    func unreadableNow() async throws {
        try scene.file().set(5, for: .count)
        #expect(chmod(scene.path.string, 0) == 0)
        await #expect(processExitsWith: .success) { [root = root.string as String] in
            let scene = try Scene(FilePath(root))
            try becomeOwner(of: FilePath(root))
            #expect(throws: AtriumError.self) { try scene.file()[.count] }
            #expect(throws: AtriumError.self) { try scene.file().set(6, for: .count) }
            #expect(scene.told.isEmpty)
        }
        #expect(chmod(scene.path.string, 0o600) == 0)
        #expect(try scene.file()[.count] == 5)
        #expect(try scene.path.parent.names == ["defaults.json"])
    }

    @Test("An error in a change, a change inside of it, and values above the limit leave all values as they were")
    func refused() async throws {
        try scene.file().set(5, for: .count)
        let before = try scene.path.text
        #expect(throws: CancellationError.self) {
            try scene.file().change { values in
                try values.set(6, for: .count)
                throw CancellationError()
            }
        }
        try failing(.sandboxBusy) {
            try scene.file().change { values in
                try values.set(6, for: .count)
                try scene.file().set(7, for: .count)
            }
        }
        let large = String(repeating: "a", count: DefaultsFile.sizeLimit)
        try failing(.defaultsFull) { try scene.file().set(large, for: .one) }
        #expect(try scene.path.text == before && scene.path.parent.names == ["defaults.json"])
        try scene.file().set(String(repeating: "a", count: DefaultsFile.sizeLimit - 1000), for: .one)
        #expect(try scene.file()[.count] == 5)
    }

    @Test("A full disk leaves all values as they were")
    func full() async throws {
        try scene.file().set(5, for: .count)
        await #expect(processExitsWith: .success) { [root = root.string as String] in
            let scene = try Scene(FilePath(root))
            try limitFileSizes()
            let large = String(repeating: "a", count: 10_000)
            try failing(.inputOutput) { try scene.file().set(large, for: .one) }
            #expect(try scene.file()[.count] == 5 && scene.file()[.one] == "")
            try scene.file().set(6, for: .count)
        }
        #expect(try scene.file()[.count] == 6)
        #expect(try scene.path.parent.names == ["defaults.json"] && scene.told.isEmpty)
    }

    @Test("A process that is killed while it changes values loses none that it had set before")
    func killed() async throws {
        try root.appending("committed").write([UInt8](repeating: 0, count: MemoryLayout<Int>.size))
        for _ in 0..<8 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [root = root.string as String] in
                let (file, note) = (try Scene(FilePath(root)).file(), open(root + "/committed", O_WRONLY))
                killSoon()
                while true {
                    var count = try file.update(.count) { $0 += 1 }
                    pwrite(note, &count, MemoryLayout<Int>.size, 0)
                }
            }
            let noted = try root.appending("committed").bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
            let count = try scene.file()[.count]
            #expect(count == noted || count == noted + 1)
            #expect(scene.told.isEmpty)
        }
        #expect(try scene.file()[.count] > 0)
        try scene.file().set("after", for: .one)
        #expect(try scene.path.parent.names == ["defaults.json"])
    }

    @Test("Changes of several processes and tasks at the same time lose nothing, and a reader never sees half of one")
    func together() async throws {
        @Sendable func write() async {
            await #expect(processExitsWith: .success) { [root = root.string as String] in
                let file = try Scene(FilePath(root)).file()
                for number in 0..<40 {
                    try file.change { values in
                        try values.set(values[.count] + 1, for: .count)
                        let text = String(repeating: "\(number)-", count: 1 + number * 37 % 200)
                        try values.set(text, for: .one)
                        try values.set(text, for: .other)
                    }
                }
            }
        }
        let ended = Flag()
        try await withThrowingTaskGroup { group in
            group.addTask {
                async let other: Void = write()
                await write()
                await other
                ended.raise()
            }
            group.addTask {
                for _ in 0..<40 {
                    try scene.file().update(.count) { $0 += 1 }
                    await Task.yield()
                }
            }
            group.addTask {
                while !ended.isRaised {
                    let values = try scene.file().values()
                    #expect(try values[.one] == values[.other])
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        #expect(try scene.file()[.count] == 120)
        #expect(scene.told.isEmpty)
    }
}
