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

    private init(
        _ identifier: String, _ summary: String, findsHangs: Bool = true, _ body: @escaping Body
    ) {
        self.identifier = identifier
        self.summary = summary
        self.findsHangs = findsHangs
        self.body = body
    }

    /// All checks, in the order in which they run.
    public static let all = [
        // The others need a plugin that loads, so the command runs this one first.
        load,
        ValidationCheck(
            "load-twice", "The plugin can be unloaded and loaded again in the same process.", CheckRun.loadTwice),
        ValidationCheck(
            "unload-with-open-pages",
            "Pages that are open when the plugin is uninstalled can still be used and closed.",
            findsHangs: false, CheckRun.unloadWithOpenPages),
        ValidationCheck(
            "routes-answer", "Every route answers within its deadline, or throws an error.",
            CheckRun.routesAnswer),
        ValidationCheck(
            "actions-answer", "Every action of a target answers within the deadline, or throws an error.",
            CheckRun.actionsAnswer),
        ValidationCheck(
            "garbage-parameters",
            "Missing, wrong, huge and malformed parameters neither crash nor block the plugin.",
            CheckRun.sendGarbage),
        ValidationCheck(
            "hang", "No page blocks the main actor, and every action of a page ends within the deadline.",
            CheckRun.findHangs),
        ValidationCheck(
            "descriptor-leak", "Opening and closing pages leaves no descriptors open.", findsHangs: false,
            CheckRun.findDescriptorLeak),
        ValidationCheck(
            "memory-leak", "Opening and closing pages leaves no pages and no other memory behind.", findsHangs: false,
            CheckRun.findMemoryLeak),
        ValidationCheck(
            thereAndBack,
            "The last release and this one can be updated and rolled back with the same data.", findsHangs: false,
            CheckRun.goThereAndBack),
        ValidationCheck(
            observed, "The plugin writes only to its own container and its app groups.", findsHangs: false,
            CheckRun.observeWrites),
        ValidationCheck(
            "texts", "Every page shows texts in each language of the package, and no keys.", findsHangs: false,
            CheckRun.checkTexts),
        ValidationCheck(
            "extensions-answer", "Every extension starts and answers sample input within its deadlines.",
            CheckRun.extensionsAnswer),
        ValidationCheck(
            "extensions-garbage", "Missing, wrong, huge and malformed input neither crashes nor blocks an extension.",
            CheckRun.sendExtensionsGarbage),
        ValidationCheck(
            "extensions-leak",
            "Requests leave no descriptors open in an extension's process, and it ends when asked to.",
            CheckRun.findExtensionLeaks),
    ]

    /// The identifier of the check that looks at the writes of the whole process, which must be observed from its start.
    public static let observed = "container-writes"

    /// The identifier of the check that needs the last release.
    public static let thereAndBack = "there-and-back"

    /// The check that all others require.
    public static let load = ValidationCheck(
        "load", "The plugin can be installed, loaded, and unloaded.", CheckRun.load)

    /// Returns a check; `nil` if no check has the identifier.
    public static func named(_ identifier: String) -> ValidationCheck? { all.first { $0.identifier == identifier } }
}
