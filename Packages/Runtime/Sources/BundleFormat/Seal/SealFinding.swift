public import PluginCore

/// A problem found in the verification of a bundle's seal.
public struct SealFinding: Hashable, Sendable {
    /// The code of the violated rule.
    public let code: AtriumError.Code
    /// The path of the affected file or folder in the bundle; `nil` for the bundle as a whole.
    public let path: String?
    /// A clause that describes the problem.
    public let what: String

    package init(_ code: AtriumError.Code, _ path: String? = nil, _ what: String) {
        self.code = code
        self.path = path
        self.what = what
    }

    package init(_ error: AtriumError) {
        let words = ([error.detail] + error.problems).filter { !$0.isEmpty }
        self.init(error.code, nil, words.isEmpty ? error.code.name : words.joined(separator: "; "))
    }

    /// A Boolean value that indicates whether a file couldn't be read, which says nothing about the bundle.
    public var isUnread: Bool { Self.unreadCodes.contains(code) }

    /// The codes of files that couldn't be read.
    package static let unreadCodes: Set<AtriumError.Code> = [.inputOutput, .sandboxUnwritable]

    /// Returns one finding for each problem of an error, or one for the error itself.
    package static func all(in error: AtriumError) -> [SealFinding] {
        guard !error.problems.isEmpty else { return [SealFinding(error)] }
        return error.problems.map { SealFinding(error.code, nil, error.detail.isEmpty ? $0 : "\(error.detail): \($0)") }
    }

    /// The finding in one line.
    public var sentence: String { path.map { "\($0): \(what)" } ?? what }

    /// Shortens a list of lines, because a hostile package can cause any number of them.
    static func shortened(_ lines: [String]) -> [String] {
        let most = 50
        return lines.count <= most ? lines : lines.prefix(most) + ["and \(lines.count - most) more"]
    }
}

extension [SealFinding] {
    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Returns: `nil` when there are none.
    package func refusal(of subject: String) -> AtriumError? {
        guard let first else { return nil }
        if count == 1, first.path == nil { return AtriumError(first.code, subject, detail: first.what) }
        return AtriumError(first.code, subject, problems: SealFinding.shortened(map(\.sentence)))
    }
}

extension [SealFinding] {
    /// Returns the findings sorted by path; those about the whole bundle come first.
    package func sorted() -> [SealFinding] {
        sorted { ($0.path ?? "").utf8.lexicographicallyPrecedes(($1.path ?? "").utf8) }
    }
}
