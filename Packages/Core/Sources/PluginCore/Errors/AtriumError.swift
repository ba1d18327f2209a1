/// An error as data: the rule that was broken, the subject, and the reason.
///
/// The host writes the message and the advice that a person reads, based on the code and the reason. Code that handles an error compares the
/// code.
///
/// ```swift
/// throw AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"])
/// throw AtriumError(.inputOutput, "photo.heic", reason: "attachmentTooLarge", ["limit": 1_000_000])
/// ```
///
/// A plugin that rejects its input provides its own code and message:
///
/// ```swift
/// throw AtriumError(
///     .init("noteEmpty"), text, message: "a note needs a text", remedy: "call it with text=...")
/// ```
public struct AtriumError: Error, Sendable {
    /// The rule that was broken.
    public let code: Code
    /// The subject of the error as the user wrote it: an identifier, a URL, or a path.
    public let subject: String
    /// The reason, or nil if the code says everything.
    public let reason: ErrorReason?
    /// All problems, if several must be fixed.
    public let problems: [ErrorReason]
    /// Suggestions for the subject, nearest first.
    public let nearest: [String]
    /// The message in place of the host's, without a final period, or nil for the host's message.
    public let message: String?
    /// The advice in place of the host's, or nil for the host's advice.
    public let remedy: String?
    /// The original error, for a caller that knows its type.
    public internal(set) var underlying: (any Error)?
    /// The bundle and the requests in which the error occurred, or nil outside of bundles.
    public internal(set) var source: Source?

    /// Creates an error for which the host writes the message.
    ///
    /// - Parameters:
    ///   - code: The rule that was broken.
    ///   - subject: The subject, as the user wrote it.
    ///   - reason: The reason.
    ///   - problems: All problems, if there are several.
    ///   - nearest: Suggestions for the subject, nearest first.
    public init(
        _ code: Code, _ subject: some CustomStringConvertible, reason: ErrorReason? = nil, problems: [ErrorReason] = [],
        nearest: [String] = []
    ) {
        self.code = code
        self.subject = subject.description
        self.reason = reason
        self.problems = problems
        self.nearest = nearest
        message = nil
        remedy = nil
    }

    /// The reason and the problems.
    public var reasons: [ErrorReason] { [reason].compactMap(\.self) + problems }

    /// Creates an error whose reason has the given name and values.
    public init(
        _ code: Code, _ subject: some CustomStringConvertible, reason: String,
        _ values: [String: ErrorReason.Value] = [:],
        problems: [ErrorReason] = [], nearest: [String] = []
    ) {
        self.init(code, subject, reason: ErrorReason(reason, values), problems: problems, nearest: nearest)
    }

    /// Creates an error with its own message.
    ///
    /// A host that does not know the code treats the error as rejected input, and its commands exit with status 65.
    ///
    /// - Parameters:
    ///   - code: The rule that was broken, usually one that the plugin defines.
    ///   - subject: The subject, as the user wrote it.
    ///   - message: A sentence that says what happened, without a final period.
    ///   - remedy: The advice.
    ///   - problems: All problems, if there are several.
    public init(
        _ code: Code, _ subject: some CustomStringConvertible, message: String, remedy: String? = nil,
        problems: [String] = []
    ) {
        self.code = code
        self.subject = subject.description
        self.message = message
        self.remedy = remedy
        self.problems = problems.map { .verbatim($0) }
        reason = nil
        nearest = []
    }
}

extension AtriumError: CustomStringConvertible {
    /// A single line for logs. Users see the message that the host writes.
    public var description: String {
        var line = "\(code.name): \(message ?? subject)"
        if let reason { line += " (\(reason))" }
        for problem in problems { line += "; \(problem)" }
        return line
    }
}
