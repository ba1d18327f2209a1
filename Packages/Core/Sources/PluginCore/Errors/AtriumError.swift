/// What went wrong, as data: which rule, about what, and why.
///
/// The sentence a person reads, and the advice that goes with it, are made elsewhere (AppHost's renderer); code that
/// handles an error switches on ``code-swift.property``.
///
/// ```swift
/// throw AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"])
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

    /// Describes one failure.
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
    }
}

extension AtriumError: CustomStringConvertible {
    /// One line for logs; users get the renderer's sentence.
    public var description: String {
        var line = "\(code.name): \(subject)"
        if !detail.isEmpty { line += " (\(detail))" }
        for problem in problems { line += "; \(problem)" }
        return line
    }
}
