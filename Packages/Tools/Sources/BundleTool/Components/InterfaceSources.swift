import PluginComponents
import PluginCore

/// The sources of a plugin's Interface in the author's folder.
struct InterfaceSources {
    /// The name of the module.
    let module: String
    /// The contents by their paths in the module's folder.
    let files: [String: [UInt8]]

    private static let sizeLimit = 1 << 22

    /// Reads the sources of the target `<Name>Interface`, where `lib<Name>.so` is the library in the manifest.
    ///
    /// Pages of documentation and hidden files stay behind. All other files are taken, and what is not a Swift source is refused when the
    /// archive is written.
    ///
    /// - Throws: ``ComponentError`` with `noSources`, or with `invalid` for a link.
    init(of manifest: Manifest, in folder: FilePath) throws {
        let entry = manifest.entry ?? ""
        let name = entry.hasPrefix("lib") && entry.hasSuffix(".so") ? String(entry.dropFirst(3).dropLast(3)) : "Plugin"
        module = "\(name)Interface"
        let sources = folder.appending("Sources/\(module)")
        guard Files.kind(of: sources) == .folder else { throw ComponentError.noSources(sources, module: module) }
        var files: [String: [UInt8]] = [:]
        for path in try Files.names(below: sources) {
            let names = path.split(separator: "/")
            guard !names.contains(where: { $0.hasPrefix(".") || $0.hasSuffix(".docc") }) else { continue }
            switch Files.kind(of: sources.appending(path), followingLinks: false) {
            case .folder, nil: continue
            case .other: throw ComponentError.invalid(module, problems: ["\(path): it is a link or no file"])
            case .file:
                files[path] = try Files.bytes(
                    of: sources.appending(path), limit: Self.sizeLimit, remedy: "make the file smaller")
            }
        }
        guard files.keys.contains(where: { $0.hasSuffix(".swift") }) else {
            throw ComponentError.noSources(sources, module: module)
        }
        self.files = files
    }
}
