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
public struct AtriumError: Error, Sendable, CustomStringConvertible {
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
    public private(set) var message: String?
    /// The advice in place of the host's, or nil for the host's advice.
    public private(set) var remedy: String?
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
        self.init(code, subject, problems: problems.map { .verbatim($0) })
        self.message = message
        self.remedy = remedy
    }

    /// A single line for logs. Users see the message that the host writes.
    public var description: String {
        var line = "\(code.name): \(message ?? subject)"
        if let reason { line += " (\(reason))" }
        for problem in problems { line += "; \(problem)" }
        return line
    }
}

extension AtriumError {
    static func missing(_ name: String, expected: Any.Type) -> AtriumError {
        Self(.parameterMissing, name, reason: "valueMissing", ["type": "\(expected)"])
    }

    /// - Parameter choices: The textual forms of all valid values, if they are enumerable.
    static func mistyped(_ name: String, expected: Any.Type, found: Any, choices: [String] = []) -> AtriumError {
        let isForArray = expected == [Any].self
        let reason: ErrorReason =
            switch found as? String {
            case nil where isForArray: ErrorReason("valueForArray", ["found": "\(type(of: found))"])
            case nil: .type(expected, found: type(of: found), otherwise: "valueForType")
            case let text? where isForArray: ErrorReason("textForArray", ["text": .text(text)])
            case let text? where choices.isEmpty:
                ErrorReason("textForType", ["type": "\(expected)", "text": .text(text)])
            case let text?:
                ErrorReason("textForChoice", ["type": "\(expected)", "choices": .list(choices), "text": .text(text)])
            }
        let nearest = Nearest.words(to: found as? String ?? "", in: choices)
        return Self(.parameterType, name, reason: reason, nearest: nearest)
    }
}

extension ErrorReason {
    /// Returns the reason for a value of another type than the expected one.
    static func type(_ expected: Any.Type, found: Any.Type, otherwise: String = "typeDiffers") -> ErrorReason {
        let values: [String: Value] = ["expected": "\(expected)", "found": "\(found)"]
        return ErrorReason(settingsDiffer(expected, found) ? "settingsDiffer" : otherwise, values)
    }

    /// Returns whether two closure types differ only because the packages were compiled with different settings.
    private static func settingsDiffer(_ expected: Any.Type, _ found: Any.Type) -> Bool {
        let mark = "nonisolated(nonsending) "
        let (one, other) = ("\(expected)", "\(found)")
        guard one.contains(mark) != other.contains(mark), one.contains("->"), other.contains("->") else { return false }
        // One of the types may be optional, so one name may contain the other.
        let (plain, otherPlain) = (one.replacing(mark, with: ""), other.replacing(mark, with: ""))
        return plain.contains(otherPlain) || otherPlain.contains(plain)
    }
}

extension AtriumError {
    /// The bundle and the request in which an error occurred.
    public struct Source: Hashable, Sendable {
        /// The bundle, such as com.example.app.shop@1.1.0, or its identifier alone for a page described by data.
        public let bundle: String
        /// The request that the bundle handled: an address, a target with its action, or a page action.
        public let request: String
        /// The requests that led to this one, starting with the user's.
        public let chain: [String]

        /// Creates a source.
        public init(bundle: String, request: String, chain: [String]) {
            self.bundle = bundle
            self.request = request
            self.chain = chain
        }
    }

    /// Returns the error with the bundle and the request in which it occurred.
    ///
    /// An error that already has a source keeps it, so the bundle that failed first is named and not the bundles that passed the error on.
    /// An error of another type becomes one with code `pluginFailed`, because a caller in another bundle cannot know the type; the original
    /// error is then ``underlying``.
    public static func from(_ error: any Error, in source: Source) -> AtriumError {
        var result: AtriumError
        if let error = error as? AtriumError {
            result = error
        } else {
            result = Self(.pluginFailed, source.bundle, reason: .verbatim("\(error)"))
            result.underlying = error
        }
        result.source = result.source ?? source
        return result
    }

    /// Returns the error with another one as its cause.
    public func caused(by error: any Error) -> AtriumError {
        var result = self
        result.underlying = error
        return result
    }
}
