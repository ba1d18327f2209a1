/// A failure as data: the rule that was broken, what it is about, and why.
///
/// The host writes the sentence that a person reads and the advice that goes with it, from ``code-swift.property``. Code that
/// handles an error compares the code.
///
/// ```swift
/// throw AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"])
/// ```
///
/// A plugin that refuses its input says why in its own words, with a code of its own:
///
/// ```swift
/// throw AtriumError(
///     .init("noteEmpty"), text, message: "a note needs a text", remedy: "call it with text=...")
/// ```
public struct AtriumError: Error, Sendable {
    /// Which rule was broken.
    public let code: Code
    /// What the error is about, as the user wrote it: an identifier, a URL, a path.
    public let subject: String
    /// Why, in a clause that continues the sentence; empty when the code says it all.
    public let detail: String
    /// Every single problem, when there are several to mend at once.
    public let problems: [String]
    /// What the subject may have meant, nearest first.
    public let nearest: [String]
    /// The whole sentence in place of the host's, without a full stop; `nil` for the host's.
    public let message: String?
    /// The advice in place of the host's; `nil` for the host's.
    public let remedy: String?
    /// The error that this one was made of, for a caller that knows its type.
    public internal(set) var underlying: (any Error)?
    /// The bundle in whose code the error came up, and the requests that led there; `nil` outside of bundles.
    public internal(set) var source: Source?

    /// Describes one failure that the host puts into words.
    ///
    /// - Parameters:
    ///   - code: the broken rule.
    ///   - subject: what it is about.
    ///   - detail: why, in a clause.
    ///   - problems: every problem, when there are several.
    ///   - nearest: what may have been meant, nearest first.
    public init(
        _ code: Code, _ subject: String, detail: String = "", problems: [String] = [], nearest: [String] = []
    ) {
        self.code = code
        self.subject = subject
        self.detail = detail
        self.problems = problems
        self.nearest = nearest
        message = nil
        remedy = nil
    }

    /// Describes one failure in the words of whoever throws it.
    ///
    /// A host that does not know the code takes it for a refusal of the input, and its commands end with status 65.
    ///
    /// - Parameters:
    ///   - code: the broken rule, usually one of the plugin's own.
    ///   - subject: what it is about, as the user wrote it.
    ///   - message: what happened, in a sentence without a full stop.
    ///   - remedy: what to do.
    ///   - problems: every problem, when there are several.
    public init(_ code: Code, _ subject: String, message: String, remedy: String? = nil, problems: [String] = []) {
        self.code = code
        self.subject = subject
        self.message = message
        self.remedy = remedy
        self.problems = problems
        detail = ""
        nearest = []
    }
}

extension AtriumError: CustomStringConvertible {
    /// One line for logs; users get the renderer's sentence.
    public var description: String {
        var line = "\(code.name): \(message ?? subject)"
        if !detail.isEmpty { line += " (\(detail))" }
        for problem in problems { line += "; \(problem)" }
        return line
    }
}
