import Synchronization

/// The language of the texts that a program writes.
///
/// A program chooses it once, before it writes. Documents for scripts are always in English.
///
/// ```swift
/// Localization.choose(.simplifiedChinese)
/// StandardOutput.note(localized("No extensions.\n"))
/// ```
public enum Localization {
    @TaskLocal private static var own: TextCatalog?
    private static let chosen = Mutex<TextCatalog?>(nil)

    /// The catalog in use: that of the task, of the process, or English.
    public static var current: TextCatalog { own ?? chosen.withLock { $0 } ?? .english }

    /// Chooses the catalog of the process, also for threads that belong to no task.
    public static func choose(_ catalog: TextCatalog) { chosen.withLock { $0 = catalog } }

    /// A line that says why texts are missing from what the program has printed; `nil` if none is.
    ///
    /// It is in English, because it is about the files of the other texts.
    public static var note: String? {
        LanguageFile.firstProblem.map { "note: the program's texts are incomplete: \($0); install it again\n" }
    }

    /// Runs an operation whose texts, and those of its tasks, are in the language of a catalog.
    public static func with<Result, Failure: Error>(
        _ catalog: TextCatalog, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = $own.withValue(catalog) { Swift.Result { () throws(Failure) in try body() } }
        return try result.get()
    }

    /// Runs an asynchronous operation whose texts, and those of its tasks, are in the language of a catalog.
    public static func with<Result>(
        _ catalog: TextCatalog, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $own.withValue(catalog, operation: body)
    }
}

/// Returns a sentence in the language of the program.
public func localized(_ sentence: Sentence) -> String { Localization.current.text(for: sentence) }

/// Returns a text that is declared elsewhere, such as a summary of a command, in the language of the program.
public func localized(key: String) -> String { Localization.current.text(for: key) }
