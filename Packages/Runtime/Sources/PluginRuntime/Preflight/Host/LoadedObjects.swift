internal import CSystem
import PluginCore

/// The objects that the dynamic loader has loaded into this process.
enum LoadedObjects {
    /// Returns the files of all loaded objects: the program first, the others in the order of loading.
    static func paths() -> [FilePath] {
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { list in
            csystem_each_loaded(
                { name, list in list.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name)) },
                list)
        }
        guard !names.isEmpty else { return [] }
        names[0] = "/proc/self/exe"
        // The kernel's vDSO has a name but no file.
        return names.filter { $0.hasPrefix("/") }.map { FilePath($0) }
    }
}
