internal import CProcesses
import Glibc
package import PluginCore

/// The objects that the dynamic loader has loaded into this process.
package enum LoadedObjects {
    /// The names of the files that the C library is in, or has been in.
    package static let filesOfLibc = [
        LIBC_SO, LD_SO, LIBDL_SO, LIBM_SO, LIBPTHREAD_SO, LIBRESOLV_SO, LIBRT_SO, LIBUTIL_SO,
    ]

    /// Returns the files of all loaded objects: the program first, the others in the order of loading.
    package static func paths() -> [FilePath] {
        var paths: [FilePath] = ["/proc/self/exe"]
        var next = process_first_object()
        while let object = next {
            let name = String(cString: object.pointee.l_name)
            // The program has no name, and the kernel's vDSO has a name but no file.
            if name.hasPrefix("/") { paths.append(FilePath(name)) }
            next = UnsafePointer(object.pointee.l_next)
        }
        return paths
    }
}
