internal import CSystem
package import PluginCore

/// The objects that the dynamic loader has loaded into this process.
package enum LoadedObjects {
    /// The names of the files that the C library is in, or has been in.
    package static var filesOfLibc: [String] {
        (0...).lazy.map(csystem_libc_file).prefix { $0 != nil }.compactMap { $0.map(String.init(cString:)) }
    }

    /// Returns the files of all loaded objects: the program first, the others in the order of loading.
    package static func paths() -> [FilePath] {
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
