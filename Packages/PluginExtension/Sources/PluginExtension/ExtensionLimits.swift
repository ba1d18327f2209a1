/// The limits for the process of an extension. The host ends a process that exceeds one and reports which.
public struct ExtensionLimits: Hashable, Codable, Sendable {
    /// The limits by their names in a manifest: seconds, bytes, or a number of files.
    public let values: [String: Double]

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - start: The time for starting, in seconds.
    ///   - request: The time for a request, in seconds.
    ///   - end: The time for ending, in seconds.
    ///   - idle: The time for which the process waits for another request, in seconds.
    ///   - memory: The memory, in bytes.
    ///   - fileSize: The size of a written file, in bytes.
    ///   - openFiles: The number of open files.
    public init(
        start: Double = 10, request: Double = 30, end: Double = 2, idle: Double = 0, memory: Int = 256 << 20,
        fileSize: Int = 64 << 20, openFiles: Int = 128
    ) {
        values = [
            "start": start, "request": request, "end": end, "idle": idle, "memory": Double(memory),
            "fileSize": Double(fileSize), "openFiles": Double(openFiles),
        ]
    }

    /// Creates limits from values by name; the others have their defaults.
    public init(_ values: [String: Double]) {
        self.values = ExtensionLimits().values.merging(values) { $1 }
    }

    /// Returns the lower of both limits in each respect.
    public func lowered(to lowered: [String: Double]) -> ExtensionLimits {
        ExtensionLimits(values.merging(lowered, uniquingKeysWith: min))
    }

    /// The time for starting: from the start of the process until the principal object exists, in seconds.
    public var start: Double { values["start"] ?? 0 }
    /// The time for a request, in seconds.
    public var request: Double { values["request"] ?? 0 }
    /// The time for ending after the last request, in seconds.
    public var end: Double { values["end"] ?? 0 }
    /// The time for which the process waits for another request, in seconds. With zero, it ends after each request.
    public var idle: Double { values["idle"] ?? 0 }
    /// The memory of the process, in bytes.
    public var memory: Int { number("memory") }
    /// The size of a file that the process writes, in bytes.
    public var fileSize: Int { number("fileSize") }
    /// The number of files that the process may have open.
    public var openFiles: Int { number("openFiles") }

    /// The processor time of the process in its whole life, in seconds.
    ///
    /// Four threads that are busy until the deadlines for starting, one request and ending need that much. So the limit ends only a process
    /// that goes on with work that nobody waits for.
    public var processorTime: Double { 4 * (start + request + end) }

    private func number(_ name: String) -> Int { Int(max(-9e18, min(values[name] ?? 0, 9e18))) }
}
