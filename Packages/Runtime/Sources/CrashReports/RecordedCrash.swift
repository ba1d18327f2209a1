public import PluginCore

/// A crash or hang of a host, with the calls on the stack of its thread.
public struct RecordedCrash: Hashable, Sendable {
    /// The owner of some code.
    public enum Owner: Hashable, Sendable {
        /// A version of a bundle.
        case bundle(BundleIdentity)
        /// A library of the host or the system.
        case library(FilePath)
        /// The program of the host.
        case program
        /// None: the address is outside of all code.
        case unknown
    }

    /// A call on the stack.
    public struct Call: Hashable, Sendable {
        /// The owner of the code.
        public let owner: Owner
        /// The address in the file of the library, as its symbol table has it.
        public let address: UInt64
    }

    /// The name of the report: the time in seconds since 1970, and the number of the process.
    public let name: String
    /// The number of the signal; `nil` for a hang.
    public let signal: Int32?
    /// The time in seconds since 1970.
    public let at: Int64
    /// The number of the process.
    public let process: Int
    /// The number of the thread.
    public let thread: Int
    /// The calls, innermost first.
    public let calls: [Call]

    /// The bundle whose code is nearest to the crash; `nil` if no bundle has code on the stack.
    public var bundle: BundleIdentity? {
        for call in calls {
            if case .bundle(let identity) = call.owner { return identity }
        }
        return nil
    }
}

extension RecordedCrash {
    /// Parses a report; `nil` if it is not one. A report whose process was killed while it wrote has fewer calls.
    init?(named name: String, _ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard lines.first == "crash report 1" else { return nil }
        var facts: [Substring: Int] = [:]
        var calls: [Call] = []
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.first == "frame" {
                guard let call = Call(words) else { return nil }
                calls.append(call)
            } else {
                guard words.count == 2, let number = Int(words[1]) else { return nil }
                facts[words[0]] = number
            }
        }
        guard let at = facts["time"], let process = facts["process"], let thread = facts["thread"] else { return nil }
        self.init(
            name: name, signal: facts["signal"].flatMap { Int32(exactly: $0) }, at: Int64(at), process: process,
            thread: thread, calls: calls)
    }
}

extension RecordedCrash.Call {
    /// Parses the words of a line: `frame`, the address in hexadecimal, the owner.
    fileprivate init?(_ words: [Substring]) {
        guard words.count == 3, let address = UInt64(words[1], radix: 16) else { return nil }
        let owner = String(words[2])
        self.address = address
        self.owner =
            switch owner {
            case "-": .unknown
            case "program": .program
            default: Self.identity(owner).map { .bundle($0) } ?? .library(FilePath(owner))
            }
    }

    private static func identity(_ text: String) -> BundleIdentity? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let identifier = BundleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
        else { return nil }
        return BundleIdentity(identifier: identifier, version: version)
    }
}
