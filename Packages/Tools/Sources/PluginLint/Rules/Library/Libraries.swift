import Console
import Preflight

extension LintRule {
    static let libraryUnloadable = LintRule(
        "library-unloadable", .error, "no host of this release can load a library",
        remedy: "build the plugin with this release of the SDK, and name the packages that it links with --dependency"
    ) { $0.refusals["library-unloadable"] ?? [] }

    /// The size of the debug information that is not worth a step of the build, in bytes.
    static let debugLimit = 1_000_000

    static let libraryDebug = LintRule(
        "library-debug", .warning,
        "a library has more than \(byteCount(debugLimit)) of debug information, which every user downloads",
        remedy:
            "run \"strip --strip-debug\" on a copy of the library, pack the copy, and keep the library for crash reports"
    ) { subject in
        subject.libraries.filter { $0.value.debugSize > debugLimit }.sorted { $0.key < $1.key }.map { name, symbols in
            Problem(name, "it has \(byteCount(symbols.debugSize)) of debug information")
        }
    }
}
