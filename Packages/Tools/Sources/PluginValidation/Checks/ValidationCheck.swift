import Console

/// A check of a plugin's behavior, which runs in a process of its own.
///
/// ```swift
/// guard let check = ValidationCheck.named("texts") else { return }
/// let result = try await CheckRun.result(of: check, settings, progress) { ProcessEnd.now(status: 0) }
/// ```
public struct ValidationCheck: Sendable {
    /// The identifier, which never changes.
    public let identifier: String
    /// A sentence about the requirement.
    public let summary: String
    /// A Boolean value that indicates whether code that blocks the main actor is a fault of this check.
    ///
    /// Other checks leave that to the check `hang`.
    let findsHangs: Bool
    let body: Body

    /// The method of a run that makes the check.
    typealias Body = @MainActor @Sendable (CheckRun) -> @MainActor () async throws -> Void

    /// Creates a check, whose summary is in the section `checks` of `en.json`.
    private init(_ identifier: String, findsHangs: Bool = true, _ body: @escaping Body) {
        (self.identifier, self.findsHangs, self.body) = (identifier, findsHangs, body)
        summary = TextCatalog.authorText("checks", identifier)
    }

    /// All checks, in the order in which they run.
    public static let all = [
        // The others need a plugin that loads, so the command runs this one first.
        load,
        ValidationCheck("load-twice", CheckRun.loadTwice),
        ValidationCheck("unload-with-open-pages", findsHangs: false, CheckRun.unloadWithOpenPages),
        ValidationCheck("routes-answer", CheckRun.routesAnswer),
        ValidationCheck("actions-answer", CheckRun.actionsAnswer),
        ValidationCheck("garbage-parameters", CheckRun.sendGarbage),
        ValidationCheck("hang", CheckRun.findHangs),
        ValidationCheck("descriptor-leak", findsHangs: false, CheckRun.findDescriptorLeak),
        ValidationCheck("memory-leak", findsHangs: false, CheckRun.findMemoryLeak),
        ValidationCheck(thereAndBack, findsHangs: false, CheckRun.goThereAndBack),
        ValidationCheck(observed, findsHangs: false, CheckRun.observeWrites),
        ValidationCheck("texts", findsHangs: false, CheckRun.checkTexts),
        ValidationCheck("extensions-answer", CheckRun.extensionsAnswer),
        ValidationCheck("extensions-garbage", CheckRun.sendExtensionsGarbage),
        ValidationCheck("extensions-leak", CheckRun.findExtensionLeaks),
    ]

    /// The identifier of the check that looks at the writes of the whole process, which must be observed from its start.
    public static let observed = "container-writes"

    /// The identifier of the check that needs the last release.
    public static let thereAndBack = "there-and-back"

    /// The check that all others require.
    public static let load = ValidationCheck("load", CheckRun.load)

    /// Returns a check; `nil` if no check has the identifier.
    public static func named(_ identifier: String) -> ValidationCheck? { all.first { $0.identifier == identifier } }
}
