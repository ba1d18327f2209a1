import Synchronization

/// A message of a process that runs a check, one JSON document per line.
public struct CheckMessage: Sendable, Codable {
    /// The step that begins.
    public var step: String?
    /// The result, which is the last message.
    public var result: CheckResult?
    /// The reason why the plugin cannot be installed, so that no check can run.
    public var refusal: String?

    /// Creates a message with a step, a result, or a refusal.
    public init(step: String? = nil, result: CheckResult? = nil, refusal: String? = nil) {
        self.step = step
        self.result = result
        self.refusal = refusal
    }
}

/// The progress of a check, which names the step during which the plugin crashed or hung.
public final class CheckProgress: Sendable {
    /// The length of a step's description in characters.
    private static let length = 200

    private let current = Mutex("")
    private let report: @Sendable (CheckMessage) -> Void

    /// Creates a progress.
    ///
    /// - Parameter report: receives each message, on any thread.
    public init(report: @escaping @Sendable (CheckMessage) -> Void) {
        self.report = report
    }

    /// The step that has begun last.
    var step: String { current.withLock { $0 } }

    /// Reports that a step begins. It can be the last message before a crash, so it is written at once.
    func begin(_ step: String) {
        let text = Self.plain(step)
        current.withLock { $0 = text }
        report(CheckMessage(step: text))
    }

    /// Reports the result.
    public func finish(_ result: CheckResult) { report(CheckMessage(result: result)) }

    /// Returns the start of a text, in which random input is spelled in ASCII.
    static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            guard plain.count < length else { return plain + "..." }
            plain +=
                scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return plain
    }
}
