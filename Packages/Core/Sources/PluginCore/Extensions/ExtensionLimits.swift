/// The limits for the process of an extension. The host ends a process that exceeds one and reports which.
public struct ExtensionLimits: Hashable, Codable, Sendable {
    /// The time for starting: from the start of the process until the principal object exists, in seconds.
    public let start: Double
    /// The time for a request, in seconds.
    public let request: Double
    /// The time for ending after the last request, in seconds.
    public let end: Double
    /// The time for which the process waits for another request, in seconds. With zero, it ends after each request.
    public let idle: Double
    /// The memory of the process, in bytes.
    public let memory: Int
    /// The size of a file that the process writes, in bytes.
    public let fileSize: Int
    /// The number of files that the process may have open.
    public let openFiles: Int

    /// The processor time of the process in its whole life, in seconds.
    ///
    /// Four threads that are busy until the deadlines for starting, one request and ending need that much. So the limit ends only a process
    /// that goes on with work that nobody waits for.
    public var processorTime: Double { 4 * (start + request + end) }

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
        self.start = start
        self.request = request
        self.end = end
        self.idle = idle
        self.memory = memory
        self.fileSize = fileSize
        self.openFiles = openFiles
    }
}
