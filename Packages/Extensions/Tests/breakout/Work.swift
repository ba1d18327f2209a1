internal import CBreakout
internal import Dispatch
internal import FoundationEssentials

/// The work that plugins may do in a confined process.
enum Work {
    /// Confines the process, loads libraries, and prints the name of each part that works.
    static func run(_ arguments: Arguments) throws {
        guard Breakout.confine(arguments) else { return }
        for (name, path) in arguments.values where name == "load" {
            let message = breakout_load(path).map { String(cString: $0) }
            report("load", message == nil, message ?? "")
        }
        let container = arguments["container"] ?? ""
        try files(in: URL(filePath: container))
        let seconds = Double(arguments["seconds"] ?? "") ?? 0
        let end = DispatchSemaphore(value: 0)
        Task {
            await threads(seconds: seconds)
            end.signal()
        }
        end.wait()
        report("end", true)
    }

    private static func report(_ part: String, _ works: Bool, _ message: String = "") {
        breakout_print("\(works ? "works" : "fails") \(part) \(message)")
    }

    private static func files(in container: URL) throws {
        let folder = container.appending(path: "Documents/deep")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "file.json")
        try Data("text".utf8).write(to: file, options: .atomic)
        report("atomicWrite", try Data(contentsOf: file) == Data("text".utf8))
        let moved = container.appending(path: "moved.json")
        try FileManager.default.moveItem(at: file, to: moved)
        report("moveBetweenFolders", FileManager.default.fileExists(atPath: moved.path))
        do {
            try FileManager.default.copyItem(at: moved, to: file)
            report("copy", FileManager.default.contentsEqual(atPath: moved.path, andPath: file.path))
        } catch {
            report("copy", false, "\(error)")
        }
        try FileManager.default.removeItem(at: folder)
        report("remove", !FileManager.default.fileExists(atPath: folder.path))
        // libFoundation gives FoundationEssentials its time zones.
        let hours = TimeZone(identifier: "Asia/Tokyo")?.secondsFromGMT() ?? 0
        report("timeZone", hours == 9 * 3600)
        report("random", Set((0..<8).map { _ in UInt64.random(in: 0...UInt64.max) }).count > 1)
        report("date", Date.now.formatted(.iso8601).hasPrefix("20"))
    }

    private static func threads(seconds: Double) async {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<64 {
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(5))
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        report("tasks", sum == 2016)
        // Busy threads make libdispatch look at the states of its threads once a second.
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { while clock.now < end { await Task.yield() } }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { continuation.resume() }
        }
        report("timers", true)
    }
}
