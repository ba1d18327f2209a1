import FoundationEssentials
import PluginCore
import SQLite
import Synchronization
import Testing

import Glibc

@testable import HostSystem
@testable import PluginRuntime
@testable import Processes

@Suite("Registry change notifications", .tags(.large), .timeLimit(.minutes(15)))
struct RegistryWatchTests {
    @TemporaryFolder private var folder

    /// A listener that checks the registry's file at each notification.
    private final class Listener: Sendable {
        private let heard = Mutex<(count: Int, sight: FileStamp.File?)>((0, nil))
        private let (stream, continuation) = AsyncStream<Void>.makeStream()
        private let look: @Sendable () -> FileStamp.File?

        init(look: @escaping @Sendable () -> FileStamp.File? = { nil }) {
            self.look = look
        }

        var count: Int { heard.withLock { $0.count } }

        func tell() {
            heard.withLock { $0 = ($0.count + 1, look()) }
            continuation.yield()
        }

        /// Waits until a notification arrived while the given file existed.
        func hasSeen(_ file: FileStamp.File?) async {
            while heard.withLock({ $0.count == 0 || $0.sight != file }) { await next() }
        }

        /// Waits for a notification that no earlier call has consumed.
        func next() async {
            for await _ in stream { return }
        }
    }

    private static func database(in folder: FilePath) throws -> Database {
        try folder.makeFolder()
        var options = DatabaseOptions()
        (options.journal, options.synchronous) = (.unchanged, .off)
        return try Database(path: folder.appending("registry.sqlite").string, options: options)
    }

    /// Returns a registry with a table, and a listener of its watch.
    private func watched() async throws -> (Database, Listener, FolderWatch) {
        let database = try Self.database(in: folder)
        try database.execute("CREATE TABLE t (x)")
        let listener = Listener()
        let watch = try FolderWatch(
            database: folder.appending("registry.sqlite"), after: .zero, onChange: listener.tell)
        await listener.next()
        return (database, listener, watch)
    }

    @Test("The watch reports every commit of another connection, and ignores other files in the registry's folder")
    func commits() async throws {
        let (database, listener, watch) = try await watched()
        for number in 0..<50 { try folder.appending("host\(number).lock").write("") }
        try database.execute("INSERT INTO t VALUES (0)")
        await listener.next()
        #expect(listener.count == 2)
        for number in 1...20 {
            try database.execute("INSERT INTO t VALUES (?)", number)
            await listener.next()
        }
        withExtendedLifetime(watch) {}
    }

    @Test("The watch reports that the registry is created, deleted or replaced, even without its folder at first")
    func folders() async throws {
        try await withFolder { root in
            let folder = root.appending("sandbox/Containers/Bundle")
            let registry = folder.appending("registry.sqlite")
            let listener = Listener { try? FileStamp(ofFile: registry)?.file }
            let watch = try FolderWatch(database: registry, after: .zero, onChange: listener.tell)
            for _ in 0..<3 {
                try Self.database(in: folder).execute("CREATE TABLE t (x)")
                try await listener.hasSeen(FileStamp(ofFile: registry)?.file)
                try registry.remove()
                await listener.hasSeen(nil)
                try registry.write("first")
                try await listener.hasSeen(FileStamp(ofFile: registry)?.file)
                try folder.appending("other").write("second")
                #expect(rename(folder.appending("other").string, registry.string) == 0)
                try await listener.hasSeen(FileStamp(ofFile: registry)?.file)
                try root.appending("sandbox").remove()
                await listener.hasSeen(nil)
            }
            withExtendedLifetime(watch) {}
        }
    }

    @Test("The watch combines notifications of many changes in a short time")
    func bursts() async throws {
        let (database, listener, watch) = try await watched()
        let duration = try ContinuousClock().measure {
            for number in 0..<500 { try database.execute("INSERT INTO t VALUES (?)", number) }
        }
        await listener.next()
        // At most one notification per 20 ms, plus the ones before and after.
        #expect(listener.count <= Int(duration / .milliseconds(20)) + 3)
        withExtendedLifetime(watch) {}
    }

    @Test("Repeatedly starting and stopping a watch leaks no file descriptor")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            try await withFolder { folder in
                func open() throws -> [String] {
                    let files = FilePath("/proc/self/fd")
                    return try files.names.compactMap { name in
                        try? FileManager.default.destinationOfSymbolicLink(atPath: files.appending(name).string)
                    }
                }
                let listener = Listener()
                func one() async throws {
                    let watch = try FolderWatch(
                        database: folder.appending("registry.sqlite"), after: .zero, onChange: listener.tell)
                    await listener.next()
                    watch.stop()
                }
                // The first watch opens descriptors that libraries retain.
                try await one()
                let before = try open().count { !$0.contains("inotify") }
                for _ in 0..<200 { try await one() }
                let end = ContinuousClock.now + .seconds(600)
                while try open().contains(where: { $0.contains("inotify") }) || open().count > before + 2 {
                    let left = try open()
                    try #require(ContinuousClock.now < end, "\(left)")
                    await Task.yield()
                }
            }
        }
    }

    @Test("Without kernel notifications the watch falls back to regular notifications")
    func withoutKernel() async throws {
        let listener = Listener()
        let watch = try FolderWatch(
            database: "/nowhere/registry.sqlite", isTold: false, after: .zero, onChange: listener.tell)
        for _ in 0..<3 { await listener.next() }
        watch.stop()
    }
}
