import Dispatch
import Glibc
import HostSystem
import PluginCore
import SQLite
import Testing
@testable import BundleStorage

@Suite("Folders of app groups and their observers", .tags(.large), .timeLimit(.minutes(5)))
struct AppGroupFolderTests {
    private let temporary = TemporaryFolder()
    private var root: FilePath { temporary.path }
    private let group: AppGroup

    init() throws { group = try Self.group(in: temporary.path) }

    /// Returns the group in a folder, as each process that shares it makes it.
    private static func group(in root: FilePath, isTold: Bool = true) throws -> AppGroup {
        let folder = root.appending("group.com.example")
        for place in [folder, folder.appending("Documents")] {
            // Another process may make it at the same time.
            try #require(mkdir(place.string, 0o755) == 0 || errno == EEXIST)
        }
        return AppGroup(
            "group.com.example", storage: AppGroupFolder(at: folder, isTold: isTold) { error in Issue.record(error) })
    }

    /// A content whose every part says which version it is.
    private static func content(_ number: Int) -> [UInt8] {
        Array(String(repeating: "\(number)\n", count: 1 + number * 37 % 4000).utf8)
    }

    /// Returns the version of a whole content.
    private static func number(of content: [UInt8]?) throws -> Int {
        let content = try #require(content)
        let number = try #require(Int(String(decoding: content.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)))
        try #require(content == Self.content(number))
        return number
    }

    @Test("A reader never sees half a write, and a killed writer leaves the old version or the new one")
    func killed() async throws {
        try group.write(Self.content(0), to: "notes/file")
        try root.appending("committed").write([UInt8](repeating: 0, count: MemoryLayout<Int>.size))
        for _ in 0..<25 {
            let ended = Flag()
            let before = try Self.number(of: group.read("notes/file"))
            async let writer: Void = {
                await #expect(processExitsWith: .signal(SIGKILL)) { [root = root.string as String] in
                    let (group, note) = (try Self.group(in: FilePath(root)), open(root + "/committed", O_WRONLY))
                    killSoon()
                    var number = try Self.number(of: group.read("notes/file"))
                    while true {
                        number += 1
                        try group.write(Self.content(number), to: "notes/file")
                        pwrite(note, &number, MemoryLayout<Int>.size, 0)
                    }
                }
                ended.raise()
            }()
            while !ended.isRaised {
                _ = try Self.number(of: group.read("notes/file"))
                await Task.yield()
            }
            await writer
            let noted = try root.appending("committed").bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
            let number = try Self.number(of: group.read("notes/file"))
            // A writer can be killed between its first change and its note.
            let last = max(before, noted)
            #expect(number == last || number == last + 1)
        }
        #expect(try Self.number(of: group.read("notes/file")) > 0)
        try group.write([7], to: "notes/file")
        #expect(try group.read("notes/file") == [7] && group.documents.appending("notes").names == ["file"])
        #expect(try group.root.appending("Library/Coordination").names == [])
    }

    /// Counts in a file and in the defaults.
    private static func count(_ group: AppGroup) throws {
        try group.change("count") { bytes in bytes = (bytes ?? []) + [1] }
        try group.defaults.update(.count) { $0 += 1 }
    }

    @Test("Changes of several processes are never lost")
    func together() async throws {
        @Sendable func write() async {
            await #expect(processExitsWith: .success) { [root = root.string as String] in
                let group = try Self.group(in: FilePath(root))
                for _ in 0..<40 { try Self.count(group) }
            }
        }
        async let one: Void = write()
        async let two: Void = write()
        for _ in 0..<40 {
            try Self.count(group)
            await Task.yield()
        }
        await one
        await two
        #expect(try group.read("count")?.count == 120 && group.defaults[.count] == 120)
    }

    @Test("Another process sees a change within a second, also without the kernel's reports", arguments: [true, false])
    func noticed(isTold: Bool) async throws {
        var delays: [Int] = []
        // A busy machine can stop one of the processes for longer than that, but not again and again.
        while (delays.last ?? .max) >= 1_000, delays.count < 5 { delays.append(try await delay(isTold: isTold)) }
        #expect((delays.last ?? .max) < 1_000, "\(delays)")
    }

    /// Returns the time after which another process notices a change at the latest, in milliseconds.
    private func delay(isTold: Bool) async throws -> Int {
        try await withFolder { root in
            let group = try Self.group(in: root)
            // On a thread of its own, because the test of a process blocks one of the few threads of tasks.
            try DetachedThread.run {
                while group.root.exists, (try? group.read("ready")) == nil { usleep(5_000) }
                // Several changes are noticed at least once.
                for _ in 0..<10 { try? group.write(Array("\(Self.now)".utf8), to: "a/b") }
                try? group.defaults.set(Self.now, for: .count)
            }
            await #expect(processExitsWith: .success) { [root = root.string as String, isTold] in
                let group = try Self.group(in: FilePath(root), isTold: isTold)
                let changes = try group.changes()
                try group.write([], to: "ready")
                var missing: Set<AppGroupChange> = [.file("ready"), .file("a/b"), .defaults]
                var delay = 0
                for await change in changes {
                    missing.remove(change)
                    let written =
                        switch change {
                        case .defaults: try group.defaults[.count]
                        case .file("a/b"): Int(String(decoding: try group.read("a/b") ?? [], as: UTF8.self))
                        default: Self.now
                        }
                    delay = max(delay, Self.now - (try #require(written)))
                    if missing.isEmpty { break }
                }
                try group.write(Array("\(delay)".utf8), to: "delay")
            }
            return try #require(Int(String(decoding: group.read("delay") ?? [], as: UTF8.self)))
        }
    }

    /// The time of a clock that all processes share, in milliseconds.
    private static var now: Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
    }

    @Test("The observer of an unloaded bundle gets nothing, and there is no new one")
    func unloaded() async throws {
        let folder = AppGroupFolder(at: group.root) { error in Issue.record(error) }
        let (waiting, pending) = (try folder.changes(), try folder.changes())
        let listener = Task {
            var count = 0
            for await _ in waiting { count += 1 }
            return count
        }
        try folder.write([1], to: ["a"])
        var iterator = try folder.changes().makeAsyncIterator()
        try folder.write([2], to: ["b"])
        #expect(await iterator.next() != nil)
        folder.endObservation()
        #expect(await iterator.next() == nil)
        #expect(await listener.value <= 2)
        for await change in pending { Issue.record("\(change) came after the end") }
        try failing(.bundleUnavailable) { _ = try folder.changes() }
        try folder.write([3], to: ["a"])
        #expect(try folder.read(["a"]) == [3])
    }

    @Test("The watch ends with the last sequence")
    func abandoned() async throws {
        let observers = AppGroupObservers(AppGroupLayout(root: group.root), isTold: true)
        var changes: [AsyncStream<AppGroupChange>] = []
        for _ in 0..<3 { changes.append(try observers.add()) }
        changes.removeLast(2)
        #expect(observers.isWatching)
        changes.removeAll()
        #expect(!observers.isWatching)
    }

    @Test("A full disk leaves the old version")
    func full() async throws {
        try group.write([5], to: "file")
        await #expect(processExitsWith: .success) { [root = root.string as String] in
            let group = try Self.group(in: FilePath(root))
            try limitFileSizes()
            let large = [UInt8](repeating: 1, count: 10_000)
            for attempt in [{ try group.write(large, to: "file") }, { try group.change("file") { $0 = large } }] {
                try failing(.inputOutput) { try attempt() }
            }
            #expect(try group.read("file") == [5])
            try group.write([6], to: "file")
        }
        #expect(try group.read("file") == [6] && group.documents.names == ["file"])
    }

    @Test("An error in a change, a change in a change, and a file over the limit leave the file as it was")
    func refused() async throws {
        try group.write([5], to: "file")
        #expect(throws: CancellationError.self) {
            try group.change("file") { bytes in
                bytes = nil
                throw CancellationError()
            }
        }
        try failing(.sandboxBusy) { try group.change("file") { _ in try group.write([6], to: "file") } }
        let large = [UInt8](repeating: 0, count: AppGroup.fileSizeLimit + 1)
        try failing(.groupFileInvalid) { try group.write(large, to: "file") }
        #expect(try group.read("file") == [5])
        try group.change("file") { _ in try group.write([1], to: "other") }
        try group.change("file") { $0 = nil }
        #expect(try group.read("file") == nil && group.documents.names == ["other"])
    }

    @Test("Links that another member has planted are not followed, and a pipe in place of a file blocks nobody")
    func links() async throws {
        let outside = root.appending("outside")
        try outside.appending("secret").write("secret")
        let (documents, library) = (group.documents, group.root.appending("Library"))
        func plant(_ link: FilePath, to target: String) throws { try #require(symlink(target, link.string) == 0) }
        try plant(documents.appending("file"), to: outside.appending("secret").string)
        try plant(documents.appending("folder"), to: "../../outside")
        try plant(documents.appending(".new.new"), to: outside.appending("secret").string)
        try #require(mkfifo(documents.appending("pipe").string, 0o600) == 0)
        for name in ["file", "folder/secret", "pipe"] {
            try failing(.groupFileInvalid) { try group.read(name) }
            #expect(throws: AtriumError.self) { try group.change(name) { $0 = [] } }
        }
        #expect(throws: AtriumError.self) { try group.write([1], to: "folder/new") }
        // A write replaces the link itself.
        try group.write([1], to: "file")
        try group.write([2], to: "new")
        #expect(try group.read("file") == [1] && group.read("new") == [2])
        _ = try group.database(named: "one")
        try plant(library.appending("Databases/two.sqlite-wal"), to: outside.appending("secret").string)
        #expect(throws: AtriumError.self) { try group.database(named: "two") }
        for name in ["Library", "Library/Coordination", "Documents"] {
            let place = group.root.appending(name)
            try #require(rename(place.string, place.string + "-aside") == 0)
            try plant(place, to: outside.string)
            #expect(throws: AtriumError.self, "\(name)") { try group.write([3], to: "file") }
            if name != "Documents" {
                #expect(throws: AtriumError.self, "\(name)") { try group.defaults.set(1, for: .count) }
            }
            try #require(unlink(place.string) == 0 && rename(place.string + "-aside", place.string) == 0)
        }
        #expect(try outside.names == ["secret"] && outside.appending("secret").text == "secret")
        try group.defaults.set(1, for: .count)
        #expect(try group.read("file") == [1])
    }

    @Test("Two processes write the same database at the same time")
    func database() async throws {
        @Sendable func write() async {
            await #expect(processExitsWith: .success) { [root = root.string as String] in
                let group = try Self.group(in: FilePath(root))
                let database = try Database(path: group.database(named: "list").path.string)
                try database.execute("CREATE TABLE IF NOT EXISTS items (x)")
                for number in 0..<50 { try database.execute("INSERT INTO items VALUES (?)", number) }
            }
        }
        async let one: Void = write()
        async let two: Void = write()
        await one
        await two
        let shared = try group.database(named: "list")
        var options = DatabaseOptions()
        (options.journal, options.synchronous, options.busyTimeout) = (.unchanged, .off, .zero)
        let database = try Database(path: shared.path.string, options: options)
        #expect(try database.value("SELECT count(*) FROM items", as: Int.self) == 100)
        for statement in shared.settings { try database.execute(script: statement) }
        #expect(try database.value("PRAGMA journal_mode", as: String.self) == "wal")
        #expect(try database.value("PRAGMA synchronous", as: Int.self) == 2)
        #expect(try database.value("PRAGMA busy_timeout", as: Int.self) == 5000)
    }

    @Test("Reflection on a group or on defaults leads to nothing of the host")
    func mirror() async throws {
        let folder = AppGroupFolder(at: root) { _ in }
        let defaults = DefaultsFile(in: BundleContainer(root: root)) { _ in }
        for object in [folder, folder.defaults, defaults] as [Any] {
            #expect(Mirror(reflecting: object).children.isEmpty, "\(type(of: object))")
        }
    }

    @Test("A change that arrives while the observing task is canceled blocks neither its sender nor the canceler")
    func changeDuringCancellation() async {
        let (changes, cancellations) = (DispatchQueue(label: "changes"), DispatchQueue(label: "cancellations"))
        for _ in 0..<20_000 {
            let observer = AppGroupObserver {}
            let task = Task {
                await withTaskCancellationHandler {
                    await observer.next()
                } onCancel: {
                    observer.end()
                }
            }
            async let sent: Void = withCheckedContinuation { sent in
                changes.async {
                    observer.add([.defaults])
                    sent.resume()
                }
            }
            async let canceled: Void = withCheckedContinuation { canceled in
                cancellations.async {
                    task.cancel()
                    canceled.resume()
                }
            }
            _ = await (sent, canceled, task.value)
        }
    }
}
