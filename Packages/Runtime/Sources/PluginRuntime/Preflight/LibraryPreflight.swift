public import PluginCore

/// Reads a plugin's library before any of its code can run, and says whether this process could load it.
///
/// ```swift
/// let verdict = LibraryPreflight.judge("libShop.so")
/// if let refusal = verdict.refusal(of: "com.example.app.shop@1.1.0") { throw refusal }
/// ```
public enum LibraryPreflight {
    /// Larger files, in bytes, are no plugin.
    public static let sizeLimit = 1 << 28

    /// Judges a file.
    ///
    /// - Parameters:
    ///   - path: the library. A link is refused, and so is all else that is no file.
    ///   - dependencies: the libraries of bundles that the manifest declares it needs, by the names they are needed by.
    public static func judge(_ path: FilePath, dependencies: [String: FilePath] = [:]) -> LibraryVerdict {
        do throws(MappedFile.Failure) {
            let file = try MappedFile(path, limit: sizeLimit)
            return verdict(on: file, named: path.lastComponent, LibraryDependencies(dependencies))
        } catch {
            let what =
                switch error {
                case .missing: "there is no file at \(path)"
                case .noFile: "what lies at \(path) is no file"
                case .tooLarge: "it is larger than \(sizeLimit) bytes"
                case .system(let reason): "it cannot be read: \(reason)"
                }
            var verdict = LibraryVerdict()
            let rule: LibraryFinding.Rule =
                switch error {
                case .missing: .missing
                case .noFile, .tooLarge: .unreadable
                case .system: .failing
                }
            verdict.add(rule, path.lastComponent, what, remedy: Remedy.build)
            return verdict
        }
    }

    /// Judges what would be written to a file.
    ///
    /// - Parameters:
    ///   - content: all bytes of the library.
    ///   - name: its file name in the bundle.
    ///   - dependencies: as for a file.
    public static func judge(
        _ content: some Collection<UInt8>, named name: String, dependencies: LibraryDependencies = .none
    ) -> LibraryVerdict {
        verdict(on: MappedFile(copying: content), named: name, dependencies)
    }

    private static func verdict(
        on file: MappedFile, named name: String, _ dependencies: LibraryDependencies
    ) -> LibraryVerdict {
        let verdict = LibraryJudge(file, named: name, dependencies).verdict()
        let unread = HostLibraries.current.unread + dependencies.unread + verdict.unread
        guard !verdict.isLoadable, let path = unread.first else { return verdict }
        // What it seems to lack may be in what could not be read.
        var unknown = LibraryVerdict()
        unknown.add(.failing, name, "\(path), which it may need, cannot be read", remedy: "try again")
        return unknown
    }
}
