import PluginCore
import Processes

/// The text of a report, which the signal handler of a host writes, too. `crash_reports.h` describes it.
extension RecordedCrash {
    private static let heading = "crash report 1"

    /// Parses a report; `nil` if it is not one. A report whose process was killed while it wrote has fewer calls.
    init?(named name: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.first.map(String.init) == Self.heading else { return nil }
        var facts: [Substring: Substring] = [:]
        var calls: [Call] = []
        var builds: [Owner: String] = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { return nil }
            if words[0] == "frame" {
                guard let call = Call(words[1]) else { return nil }
                calls.append(call)
            } else if words[0] == "build" {
                if let build = Build(words[1]) { builds[build.owner] = build.identifier }
            } else {
                facts[words[0]] = words[1]
            }
        }
        let numbers = facts.compactMapValues { Int($0) }
        guard let at = numbers["time"], let process = numbers["process"], let thread = numbers["thread"],
            facts["signal"] == nil || numbers["signal"] != nil
        else { return nil }
        self.init(
            name: name, signal: numbers["signal"].flatMap { Int32(exactly: $0) },
            deadline: facts["deadline"].flatMap { ProcessDeadline(text: $0) }, at: Int64(at), process: process,
            thread: thread, purpose: Purpose([facts["bundle"], facts["extension"]].compactMap(\.self)),
            sender: Purpose(facts["sender"]?.split(separator: " ", maxSplits: 1) ?? []), calls: calls, builds: builds)
    }

    /// The report as text.
    var text: String {
        var lines = [Self.heading]
        if let signal { lines.append("signal \(signal)") }
        if let deadline { lines.append("deadline \(deadline.phase) \(deadline.seconds)") }
        lines += ["time \(at)", "process \(process)", "thread \(thread)"]
        if let purpose {
            lines.append("bundle \(purpose.bundle)")
            if let identifier = purpose.extension { lines.append("extension \(identifier)") }
        }
        if let sender { lines.append("sender \(sender.bundle)" + (sender.extension.map { " \($0)" } ?? "")) }
        lines += calls.map { "frame \(String($0.address, radix: 16)) \($0.owner.text)" }
        lines += builds.map { "build \($0.value) \($0.key.text)" }.sorted()
        return lines.map { $0 + "\n" }.joined()
    }
}

extension ProcessDeadline {
    fileprivate init?(text: Substring) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let phase = Phase(rawValue: words[0]), let seconds = Double(words[1]) else {
            return nil
        }
        self.init(phase, seconds: seconds)
    }
}

extension RecordedCrash.Purpose {
    /// Parses a version, and the identifier of an extension if it is one.
    fileprivate init?(_ words: [Substring]) {
        guard let bundle = words.first.flatMap({ BundleIdentity(text: $0) }) else { return nil }
        self.init(bundle: bundle, extension: words.count > 1 ? BundleIdentifier(String(words[1])) : nil)
    }
}

extension RecordedCrash.Call {
    /// Parses a frame: the address in hexadecimal, and the owner.
    init?(_ text: Substring) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let address = UInt64(words[0], radix: 16) else { return nil }
        self.init(owner: RecordedCrash.Owner(words[1]), address: address)
    }
}

extension RecordedCrash {
    /// The build ID of an owner's library.
    struct Build {
        let owner: Owner, identifier: String

        /// Parses a line: the build ID in hexadecimal, and the owner.
        init?(_ text: Substring) {
            let words = text.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].wholeMatch(of: /[0-9a-f]{4,128}/) != nil else { return nil }
            (owner, identifier) = (Owner(words[1]), String(words[0]))
        }
    }
}

extension RecordedCrash.Owner {
    fileprivate init(_ text: Substring) {
        switch text {
        case "-": self = .unknown
        case "program": self = .program
        default:
            let words = text.split(separator: " ", maxSplits: 1)
            if let identity = words.first.flatMap({ BundleIdentity(text: $0) }) {
                self = .bundle(identity, library: words.count > 1 ? String(words[1]) : nil)
            } else {
                self = .library(FilePath(String(text)))
            }
        }
    }

    fileprivate var text: String {
        switch self {
        case .bundle(let identity, let library): "\(identity)" + (library.map { " " + $0 } ?? "")
        case .library(let path): path.string
        case .program: "program"
        case .unknown: "-"
        }
    }
}

extension BundleIdentity {
    fileprivate init?(text: Substring) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let identifier = BundleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
        else { return nil }
        self.init(identifier: identifier, version: version)
    }
}
