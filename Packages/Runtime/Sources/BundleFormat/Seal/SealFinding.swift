import HostSystem
public import PluginCore

/// A problem found in the verification of a bundle's seal.
public struct SealFinding: Hashable, Sendable {
    /// The code of the violated rule.
    public let code: AtriumError.Code
    /// The path of the affected file or folder in the bundle; `nil` for the bundle as a whole.
    public let path: String?
    /// The reason why the file or the bundle is not accepted.
    public let reason: ErrorReason

    package init(_ code: AtriumError.Code, _ path: String? = nil, _ reason: ErrorReason) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    package init(_ error: AtriumError) {
        self.init(error.code, nil, error.summary)
    }

    /// A Boolean value that indicates whether a file couldn't be read, which says nothing about the bundle.
    public var isUnread: Bool { Self.unreadCodes.contains(code) }

    /// The codes of files that couldn't be read.
    package static let unreadCodes: Set<AtriumError.Code> = [.inputOutput, .sandboxUnwritable]

    /// Returns one finding for each problem of an error, or one for the error itself.
    package static func all(in error: AtriumError) -> [SealFinding] {
        guard !error.problems.isEmpty else { return [SealFinding(error)] }
        return error.problems.map { problem in
            let reason = error.reason.map {
                ErrorReason("because", ["reason": .reason($0), "problem": .reason(problem)])
            }
            return SealFinding(error.code, nil, reason ?? problem)
        }
    }

    /// The reason, with the path if there is one.
    public var problem: ErrorReason { path.map { .at($0, reason) } ?? reason }

    /// Shortens a list of problems, because a hostile package can cause any number of them.
    static func shortened(_ problems: [ErrorReason]) -> [ErrorReason] {
        let most = 50
        return problems.count <= most ? problems : problems.prefix(most) + [.more(problems.count - most)]
    }
}

extension [SealFinding] {
    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Returns: `nil` when there are none.
    package func refusal(of subject: String) -> AtriumError? {
        guard let first else { return nil }
        if count == 1, first.path == nil { return AtriumError(first.code, subject, reason: first.reason) }
        return AtriumError(first.code, subject, problems: SealFinding.shortened(map(\.problem)))
    }
}

extension [SealFinding] {
    /// Returns the findings sorted by path; those about the whole bundle come first.
    package func sorted() -> [SealFinding] {
        sorted { ($0.path ?? "").utf8.lexicographicallyPrecedes(($1.path ?? "").utf8) }
    }
}

extension AtriumError {
    /// The reason and the problems of the error without its subject; the name of its code if it has none.
    package var summary: ErrorReason { .all(of: reasons) ?? .verbatim(code.name) }
}
