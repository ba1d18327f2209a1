import Console

/// A rule of `bundletool lint`, with the code by which it can be silenced.
///
/// A rule is a function of a ``LintSubject``: it reads no files and runs no code. ``all`` lists the rules.
package struct LintRule: Sendable {
    /// The effect of a finding.
    package enum Severity: String, Sendable {
        /// Users or other plugins will run into the problem; the command fails.
        case error
        /// The author probably did not intend it; the command fails only with `--strict`.
        case warning
    }

    /// A problem that a rule has found.
    package struct Problem: Hashable, Sendable {
        /// The file, or the path in the manifest.
        package let place: String
        /// The problem in a clause.
        package let what: String
        /// The plugins that stop working, as `identifier@version`.
        package let breaks: [String]

        package init(_ place: String, _ what: String, breaks: [String] = []) {
            (self.place, self.what, self.breaks) = (place, what, breaks)
        }

        /// The problem, with the plugins that stop working.
        package var words: String {
            breaks.isEmpty ? what : "\(what); breaks \(breaks.joined(separator: ", "))"
        }
    }

    /// The code, such as `text-missing`, which never changes.
    package let code: String
    package let severity: Severity
    /// The problem in general, in one clause.
    package let summary: String
    /// The action that solves the problem.
    package let remedy: String
    private let check: @Sendable (LintSubject) -> [Problem]

    /// Creates a rule, whose texts are in the section `lint` of `en.json`, as `CODE` and `CODE remedy`.
    ///
    /// - Parameter limit: the value of `{limit}` in the texts.
    init(
        _ code: String, _ severity: Severity, limit: String = "", check: @escaping @Sendable (LintSubject) -> [Problem]
    ) {
        (self.code, self.severity, self.check) = (code, severity, check)
        summary = TextCatalog.authorText("lint", code).replacing("{limit}", with: limit)
        remedy = TextCatalog.authorText("lint", code + " remedy").replacing("{limit}", with: limit)
    }

    /// Returns the problems of a plugin.
    package func problems(of subject: LintSubject) -> [Problem] { check(subject) }

    /// All rules, in the order in which their findings are reported.
    package static let all: [LintRule] =
        [
            manifestInvalid, nameLong, summaryMissing, summaryLong, iconMissing, iconUnusable, licenseMissing,
            homepageMissing, resourceInvalid, fileStray, fileScale, textMissing, textUnknown, layoutTextMissing,
            textArguments, textsStale,
            textUnused, layoutUnused, layoutImageMissing, linkMalformed, linkUnresolved, routeShadowed, routeUnlinked,
            contractUnbound, apiDeprecated, libraryUnloadable, libraryDebug, packageLarge, fileLarge,
        ] + contracts + [dependentExcluded, silenceUnneeded]

    /// The rules that compare a version with the last published one. `bundletool publish` checks them, too.
    package static let contracts: [LintRule] = [
        versionReused, dataVersionLowered, kindChanged, routeRemoved, routeRestricted, actionRemoved, actionRestricted,
        serviceRemoved, extensionPointRemoved, parameterRequired, parameterType, resultType, eventRemoved, eventType,
        symbolRemoved,
    ]

    /// Returns the rule with a code.
    package static func named(_ code: String) -> LintRule? { all.first { $0.code == code } }
}
