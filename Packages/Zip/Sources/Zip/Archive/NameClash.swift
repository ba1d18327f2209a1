// because: the standard library has no other way to a canonical decomposition, and Foundation's is too large for this.
@_spi(_Unicode) import Swift

/// The check for names that cannot exist in one folder tree on some file system.
///
/// Some file systems ignore case or the encoding of accents.
package enum NameClash {
    private struct Folded {
        let path: EntryPath
        let components: [String]
    }

    /// Throws an error for a repeated path, a file that is also needed as a folder, and a folder in two spellings.
    package static func validate(_ paths: [EntryPath]) throws(ZipError) {
        // After sorting, adjacent paths have the longest common prefixes, so every clash is one between neighbors.
        let sorted = paths.map { Folded(path: $0, components: $0.components.map { fold($0.text) }) }
            .sorted { $0.components.lexicographicallyPrecedes($1.components) }
        for (one, next) in zip(sorted, sorted.dropFirst()) {
            try validate(one, beside: next)
        }
    }

    private static func validate(_ one: Folded, beside next: Folded) throws(ZipError) {
        let shared = zip(one.components, next.components).prefix(while: ==).count
        let isFolder = shared < one.components.count || one.path.isFolder
        if shared == one.components.count {
            if shared == next.components.count {
                throw ZipError(
                    .nameClash, entry: next.path.name,
                    detail: one.path.components == next.path.components
                        ? "the name occurs twice" : "on some systems the same name as \(one.path.name)")
            }
            guard isFolder else {
                throw ZipError(
                    .nameClash, entry: one.path.name, detail: "also needed as a folder by \(next.path.name)")
            }
        }
        guard one.path.components.prefix(shared) == next.path.components.prefix(shared) else {
            throw ZipError(
                .nameClash, entry: next.path.name, detail: "on some systems in the same folder as \(one.path.name)")
        }
    }

    /// Returns a key that is equal for all names that some file system treats as equal.
    ///
    /// It uses Unicode's canonical caseless matching (Unicode 3.13, D145), and omits ignorable characters and trailing characters that
    /// Windows ignores. Lowercasing, uppercasing and lowercasing again folds characters with several lowercase forms, such as the final
    /// sigma, and those that grow, such as the sharp s.
    private static func fold(_ text: String) -> String {
        var folded = text.lowercased()
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            folded = decomposed(decomposed(text).lowercased().uppercased().lowercased())
        }
        while folded.last == "." || folded.last == " " { folded.removeLast() }
        return folded
    }

    private static func decomposed(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfd where !scalar.properties.isDefaultIgnorableCodePoint { scalars.append(scalar) }
        return String(scalars)
    }
}

extension EntryPath {
    package var name: String {
        components.map(\.text).joined(separator: "/") + (isFolder ? "/" : "")
    }
}
