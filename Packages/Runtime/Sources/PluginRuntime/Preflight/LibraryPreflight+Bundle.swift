public import PluginCore

/// A library as part of its bundle: what the manifest says of it is held against it.
extension LibraryPreflight {
    /// Where in a bundle the library for this platform is.
    static func place(of entry: String) -> String { "lib/\(Platform.triple)/\(entry)" }

    /// Judges the library of a bundle that lies in a folder.
    ///
    /// - Parameter dependencies: the libraries of the bundles that it requires, by the names they are needed by.
    /// - Returns: `nil` for a bundle without code.
    static func judge(
        libraryOf manifest: Manifest, in folder: FilePath, dependencies: [String: FilePath] = [:]
    ) -> LibraryVerdict? {
        guard let entry = manifest.entry else { return nil }
        let path = folder.appending(place(of: entry))
        let verdict = judge(path, dependencies: dependencies)
        // In the bundle's words, and not in those of whoever looks at a file.
        if verdict.findings.first?.rule == .missing { return self.verdict(ofMissing: entry, manifest) }
        return self.verdict(verdict, with: manifest)
    }

    /// Judges the library that is to be, or already is, in a bundle's package.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's.
    ///   - content: the library's bytes; `nil` when it has none for this platform.
    ///   - dependencies: the libraries of the bundles that it requires.
    /// - Returns: `nil` for a bundle without code.
    public static func judge(
        libraryOf manifest: Manifest, content: [UInt8]?, dependencies: LibraryDependencies = .none
    ) -> LibraryVerdict? {
        guard let entry = manifest.entry else { return nil }
        guard let content else { return verdict(ofMissing: entry, manifest) }
        return verdict(judge(content, named: entry, dependencies: dependencies), with: manifest)
    }

    private static func verdict(ofMissing entry: String, _ manifest: Manifest) -> LibraryVerdict {
        var verdict = LibraryVerdict()
        verdict.add(
            .missing, place(of: entry), "there is no \(place(of: entry)) in it",
            remedy: Remedy.build(for: .host))
        return self.verdict(verdict, with: manifest)
    }

    private static func verdict(_ verdict: LibraryVerdict, with manifest: Manifest) -> LibraryVerdict {
        var verdict = verdict
        // What the library itself says has been judged.
        if manifest.coreABI != CoreVersion.abi, !verdict.facts.coreABIs.contains(manifest.coreABI) {
            verdict.add(manifestABI: manifest.coreABI)
        }
        guard verdict.facts.isRead, let entry = manifest.entry else { return verdict }
        if manifest.kind == .lib { verdict.judgeName(for: entry) } else { verdict.judgeNoName() }
        return verdict
    }
}

extension LibraryVerdict {
    /// Returns whether nobody finds it. The loader gives what is loaded to whoever asks for its soname, even to who asks for a path, and
    /// so another bundle would get this one's code in the place of its own.
    fileprivate mutating func judgeNoName() {
        guard let soname = facts.soname else { return }
        add(
            .soname, soname, "its soname is \(soname), and only a bundle of kind lib is found by one",
            remedy: Remedy.noSoname)
    }

    /// Returns whether those that are linked with it will find it. The loader looks through what is loaded by name alone, and so one
    /// that bears the name of a library of the host would never be found.
    fileprivate mutating func judgeName(for entry: String) {
        if facts.soname != entry {
            add(
                .soname, facts.soname ?? entry,
                (facts.soname.map { "its soname is \($0) and not \(entry)" } ?? "it has no soname")
                    + ", so that plugins which are linked with it would not find it",
                remedy: Remedy.soname(entry))
        }
        if (try? HostLibraries.current.library(named: entry)) != nil {
            add(
                .soname, entry, "the host has a library \(entry) of its own, which plugins would find in its place",
                remedy: "the plugin's author must give it another name")
        }
    }
}
