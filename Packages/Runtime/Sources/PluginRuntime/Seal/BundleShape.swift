import PluginCore

/// What stands at a bundle's top level, and nothing else.
enum BundleShape {
    private static let topLevel = ["Resources", "lib", "manifest.json", "signature"]

    /// What is there and has no place, in a clause of its own; `nil` when there is no such thing.
    ///
    /// - Parameter paths: of files and folders, relative to the bundle.
    static func flaw(in paths: some Sequence<String>) -> String? {
        for path in paths {
            let name = path.utf8.prefix { $0 != UInt8(ascii: "/") }
            guard topLevel.contains(where: { $0.utf8.elementsEqual(name) }) else {
                return "\"\(Substring(name))\" has no place in a bundle; there are \(topLevel.joined(separator: ", "))"
            }
        }
        return nil
    }

    /// The same of what is sealed; of what is not, it is enough to say that.
    static func findings(in seal: Seal) -> [SealFinding] {
        flaw(in: seal.files.lazy.map(\.path)).map { [SealFinding(.packageInvalid, nil, $0)] } ?? []
    }
}
