import CBaseline
import ExtensionHost
import FoundationEssentials
import PluginCore
import PluginExtension
import PluginRuntime

/// Requests to an extension whose process waits for them.
///
/// One of 1 KiB is compared with two processes in C, and one with a large attachment with one with a small attachment.
struct ExtensionExchange {
    struct WrongReply: Error {}

    private static let size = 1024

    let trial: TrialBundle
    let effort: Effort

    private var rounds: Int { effort.count(500, smoke: 5) }

    func measure(to report: Report) async throws {
        Report.progress("requests to a warm extension")
        let (manager, extensions) = try trial.host("exchange", limits: ExtensionLimits(idle: 60))
        let identifier = try await trial.install("exchange", in: manager)
        // Two characters are the quotation marks of a string in JSON.
        let text = String(repeating: "x", count: Self.size - 2)
        try await request(text, expecting: text, of: identifier, extensions)
        var (requests, compared): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(15) {
            let time = try await seconds {
                for _ in 0..<rounds { try await request(text, expecting: text, of: identifier, extensions) }
            }
            requests.append(time / Double(rounds))
            let plain = baseline_exchange(Int32(rounds), Int32(Self.size))
            guard plain > 0 else { throw WrongReply() }
            compared.append(plain)
        }
        report.add(.extensionExchange, median(requests), beside: median(compared))
        try await measureAttachments(identifier, extensions, to: report)
        await extensions.endAll()
    }

    private func measureAttachments(
        _ identifier: BundleIdentifier, _ extensions: ExtensionManager, to report: Report
    ) async throws {
        let small = try file(1_000)
        let large = try file(effort.count(100_000_000, smoke: 2_000_000))
        let before = try Memory.restartPeak()
        var (larges, smalls): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            larges.append(try await seconds { try await send(large, to: identifier, extensions) })
            smalls.append(try await seconds { try await send(small, to: identifier, extensions) })
        }
        report.add(.attachment, median(larges), beside: median(smalls))
        report.add(.attachmentMemory, Double(max(0, Memory.peak() - before)), beside: Double(large.size))
    }

    private func file(_ size: Int) throws -> (path: FilePath, size: Int) {
        let path = trial.workshop.folder.appending("attachment-\(size)")
        try Data(count: size).write(to: URL(filePath: path.string))
        return (path, size)
    }

    private func send(
        _ file: (path: FilePath, size: Int), to identifier: BundleIdentifier, _ extensions: ExtensionManager
    ) async throws {
        let item = ExtensionItem(attachments: [try ItemAttachment(opening: file.path, as: [.data])])
        try await request("size", [item], expecting: "\(file.size)", of: identifier, extensions)
    }

    private func request(
        _ input: String, _ items: [ExtensionItem] = [], expecting reply: String, of identifier: BundleIdentifier,
        _ extensions: ExtensionManager
    ) async throws {
        let output = try await extensions.run(identifier, at: TrialBundle.point, input, items: items).output
        guard output == reply else { throw WrongReply() }
    }
}

/// The memory that this process occupies, in bytes.
enum Memory {
    /// Returns the memory now.
    static func resident() -> Int { status("VmRSS") }

    /// Returns the most memory since ``restartPeak()``.
    static func peak() -> Int { status("VmHWM") }

    /// Lets the peak begin with the memory now, and returns it.
    static func restartPeak() throws -> Int {
        // See "clear_refs" in proc_pid_clear_refs(5).
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return resident()
    }

    private static func status(_ field: String) -> Int {
        let text = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}
