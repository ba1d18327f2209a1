import HostSystem

// The libraries for each platform lie in a folder `lib/TRIPLE`. The seal lists those of all platforms; a package may lack the libraries of
// some, and a host stores only its own (see 0219 of the decision records).
extension Seal {
    /// Returns the triple of the platform in the path of a library or its folder, or nil for any other path.
    public static func platform(of path: String) -> String? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("lib".utf8) else { return nil }
        return String(Substring(parts[1]))
    }

    /// The triples of the platforms for which libraries are sealed, sorted.
    public var platforms: [String] { Set(files.compactMap { Self.platform(of: $0.path) }).sorted() }

    /// Returns the seal without the libraries of all platforms but one.
    package func part(for platform: String) -> Seal {
        without(Set(platforms).subtracting([platform]))
    }

    /// Returns the seal without the libraries of the platforms that a package or a folder has left out.
    ///
    /// A platform's libraries are left out together or not at all, and never those of all platforms.
    ///
    /// - Parameters:
    ///   - paths: the paths of the files that were found.
    ///   - required: the platform whose libraries must be there; `nil` if those of any one are enough.
    package func present(in paths: some Sequence<String>, requiring required: String? = nil) -> Seal {
        let found = Set(paths.compactMap { Self.platform(of: $0) })
        let absent = Set(platforms).subtracting(found).subtracting([required].compactMap(\.self))
        return absent.count < platforms.count ? without(absent) : self
    }

    private func without(_ absent: Set<String>) -> Seal {
        guard !absent.isEmpty else { return self }
        return Seal(
            team: team, signedAt: signedAt,
            sorted: files.filter { file in Self.platform(of: file.path).map { !absent.contains($0) } ?? true })
    }
}
