import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Numbers of system calls", .tags(.large))
struct SystemCallCountTests {
    @Test("Doctor verifies a version once, independent of the number of stray files")
    func strayFiles() async throws {
        func count(_ strays: Int) async throws -> Int {
            let scene = try await Scene(installed: Scene.shop)
            let folder = scene.path(try scene.shopFolder("1.1.0") + "/Resources")
            // Installed files are read-only.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            for number in 0..<strays {
                try Data("stray".utf8).write(to: URL(filePath: "\(folder)/stray-\(number)"))
            }
            let opened = try await scene.calls("openat,openat2", status: 77, of: ["doctor"])
                .filter { $0.contains("\(Scene.shop)/1.1.0") && $0.contains("signature/seal.json\"") }
            return opened.count
        }
        let one = try await count(1)
        #expect(one > 0)
        #expect(try await count(40) == one)
    }

    @Test("An unknown address reads each package of the catalog once", arguments: ["--json", "--external"])
    func unknownAddress(option: String) async throws {
        let scene = try await Scene(installed: Scene.account)
        let words = ["open", "app://no/such/page", option]
        let log = try await scene.calls("openat,openat2", catalog: HostApp.find().catalog, status: 66, of: words)
        let packages = log.filter { $0.contains("/catalog/") && $0.contains(".zip\"") }
        #expect(!packages.isEmpty)
        #expect(Set(packages.map(Self.path)).count == packages.count, "\(packages.joined(separator: "\n"))")
    }

    private static func path(in line: Substring) -> Substring {
        let words = line.split(separator: "\"", omittingEmptySubsequences: false)
        return words.count > 1 ? words[1] : line
    }

    @Test("A library in the sandbox is not searched for in the system's folders")
    func library() async throws {
        let scene = try await Scene(installed: Scene.shop)
        let log = try await scene.calls("openat,openat2", of: ["open", "app://shop/item/42"])
        let tries = log.filter { $0.contains("/libMoney.so\"") }
        #expect(!tries.isEmpty)
        #expect(tries.allSatisfy { $0.contains("Containers/Bundle/Plugins") }, "\(tries.joined(separator: "\n"))")
    }

    /// Returns the numbers of a system call in the first half second of openings of a page, up to the first opening without it.
    ///
    /// The first use of a version is recorded on the thread pool. The file watch is set up half a second after the start, when only a
    /// command on a busy machine is still running.
    private func counts(of call: String) async throws -> [Int] {
        let scene = try await Scene(installed: Scene.shop)
        var counts: [Int] = []
        for _ in 0..<8 where counts.last != 0 {
            let log = try await scene.calls("execve,\(call)", of: ["open", "app://shop/item/42"])
            // Each line is a thread, a time in seconds, and a call.
            let lines = log.map { $0.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true) }
            let start = try #require(lines.first { $0.count == 3 && $0[2].hasPrefix("execve(") })
            let end = try #require(Double(start[1])) + 0.5
            counts.append(lines.count { $0.count == 3 && $0[2].hasPrefix(call) && Double($0[1]) ?? 0 < end })
        }
        return counts
    }

    @Test("Opening a page of an installed bundle does not start the thread pool")
    func threadPool() async throws { #expect(try await counts(of: "epoll_create1").last == 0) }

    @Test("A short command sets up no file watch, which takes milliseconds to end")
    func watch() async throws { #expect(try await counts(of: "inotify_init1").last == 0) }
}
