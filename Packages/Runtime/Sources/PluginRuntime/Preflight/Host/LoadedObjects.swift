internal import CSystem
import PluginCore

/// What the dynamic loader has brought into this process.
enum LoadedObjects {
    /// The files of all that is loaded now, the program's first, then in the order of loading.
    static func paths() -> [FilePath] {
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { list in
            csystem_each_loaded(
                { name, list in list.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name)) },
                list)
        }
        guard !names.isEmpty else { return [] }
        names[0] = "/proc/self/exe"
        // The kernel's own has a name and no file.
        return names.filter { $0.hasPrefix("/") }.map { FilePath($0) }
    }
}
