import CrashReports
import ExtensionHost
import FoundationEssentials
import Glibc
import PluginCore
import PluginExtension
import PluginRuntime
import Registry

/// Many extensions that crash, exit, hang or use all their memory, after which nothing may be left in their host.
///
/// Several run at a time, each of a bundle of its own.
struct ExtensionEnds {
    /// A run that ended otherwise than its extension did, or that left something behind.
    struct Flaw: Error, CustomStringConvertible {
        let description: String
    }

    /// A way to end, which is the input of the request.
    private struct End {
        let input: String
        /// The code of the host's error.
        let code: String
        let words: String
        /// The number of extensions that run at a time.
        let width: Int
        var limits = "{}"
    }

    private static let ends = [
        End(input: "crash", code: "extensionCrashed", words: "that crash", width: 4),
        End(input: "exit", code: "extensionCrashed", words: "that exit", width: 4),
        End(
            input: "hang", code: "extensionTimedOut", words: "that hang", width: 8, limits: #"{"request": 0.25}"#),
        End(
            input: "memory", code: "extensionOutOfMemory", words: "without memory left", width: 4,
            limits: #"{"memory": 67108864}"#),
    ]

    let trial: TrialBundle
    let effort: Effort

    private var count: Int { effort.count(1_000, smoke: 50) }

    func measure(to report: Report) async throws {
        for end in Self.ends {
            Report.progress("\(count) extensions \(end.words)")
            try await measure(end, to: report)
        }
    }

    private func measure(_ end: End, to report: Report) async throws {
        let (manager, extensions) = try trial.host("ends-\(end.input)")
        var identifiers: [BundleIdentifier] = []
        for lane in 0..<end.width {
            identifiers.append(try await trial.install("\(end.input)\(lane)", limits: end.limits, in: manager))
        }
        // The first runs create what a host keeps: the largest number of crash reports, and the memory of the threads that wait for
        // processes, which the C library never returns. After 1,600 runs instead of 200, a host is not larger.
        let first = max(end.width, CrashReportFolder.limit, count / 2)
        try await run(end, times: first, identifiers, extensions, manager)
        let (before, memory) = (try await Leftovers.settled(in: trial.workshop.folder), Memory.resident())
        try await run(end, times: count, identifiers, extensions, manager)
        let after = try await Leftovers.settled(in: trial.workshop.folder)
        let growth = Measurement.two(Double(Memory.resident() - memory) / 0x100000)
        report.add(
            counts: "\(count) extensions \(end.words): the host runs on; left behind: \(after.words(since: before)); "
                + "memory \(growth) MiB")
        guard after == before else { throw Flaw(description: "extensions \(end.words) left something behind") }
    }

    /// Runs the extensions, each in turn with itself and beside the others.
    private func run(
        _ end: End, times: Int, _ identifiers: [BundleIdentifier], _ extensions: ExtensionManager,
        _ manager: Host
    ) async throws {
        let crashes = manager.sandbox.hostData.appending("Library/extension-crashes.json").string
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (lane, identifier) in identifiers.enumerated() {
                group.addTask {
                    for _ in stride(from: lane, to: times, by: identifiers.count) {
                        try await run(end, identifier, extensions)
                        // Three crashes in five minutes would disable the extension.
                        try? FileManager.default.removeItem(atPath: crashes)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func run(_ end: End, _ identifier: BundleIdentifier, _ extensions: ExtensionManager) async throws {
        do {
            _ = try await extensions.run(identifier, at: TrialBundle.point, end.input)
        } catch let error as AtriumError where error.code.name == end.code {
            return
        } catch {
            throw Flaw(description: "an extension \(end.words) is reported as \(error)")
        }
        throw Flaw(description: "an extension \(end.words) has replied")
    }
}

/// The things that a host must not keep of an extension's process.
struct Leftovers: Equatable {
    let processes: Int
    let descriptors: Int
    let files: Int

    /// Counts the children of this process, its open descriptors, and the files below a folder, once they have stayed the same for half a second.
    ///
    /// The last connections close their descriptors on threads of their own, after the requests have failed.
    static func settled(in folder: FilePath) async throws -> Leftovers {
        var (last, repetitions) = (try now(in: folder), 0)
        for _ in 0..<200 where repetitions < 10 {
            try await Task.sleep(for: .milliseconds(50))
            let next = try now(in: folder)
            repetitions = next == last ? repetitions + 1 : 0
            last = next
        }
        return last
    }

    private static func now(in folder: FilePath) throws -> Leftovers {
        let files = FileManager.default
        let children = try files.contentsOfDirectory(atPath: "/proc").count { name in
            guard Int32(name) != nil else { return false }
            let text = (try? String(contentsOf: URL(filePath: "/proc/\(name)/stat"), encoding: .utf8)) ?? ""
            // The name of the program stands in parentheses before the state and the parent's number.
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[1] == "\(getpid())"
        }
        return Leftovers(
            processes: children, descriptors: try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
            files: try files.subpathsOfDirectory(atPath: folder.string).count)
    }

    func words(since before: Leftovers) -> String {
        "\(processes - before.processes) processes, \(descriptors - before.descriptors) descriptors, "
            + "\(files - before.files) files"
    }
}
