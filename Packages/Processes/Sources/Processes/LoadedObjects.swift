import CProcesses
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

/// Demangles Swift symbol names with the demangler of the Swift runtime.
package enum Demangling {
    /// The longest name that is demangled, in bytes; longer names are shown as they are.
    private static let limit = 512
    /// The largest factor by which demangling may lengthen a name; names that could grow more are shown as they are.
    private static let growthLimit = 1024

    /// Returns a symbol's name as its author wrote it.
    ///
    /// - Returns: `nil` when the symbol isn't a Swift symbol, or when demangling it could allocate gigabytes.
    package static func swiftName(of symbol: String) -> String? {
        guard symbol.hasPrefix("$s"), symbol.utf8.count <= limit, growth(of: symbol) <= growthLimit,
            let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Returns an upper bound for the factor by which a name grows when its substitutions are expanded.
    ///
    /// In mangled names (swift/docs/ABI/Mangling.rst, "Substitutions"), `A` stands for an earlier part, which may contain an
    /// `A` itself, and a number repeats it. The letters `A` and `S` inside words are counted too, although they abbreviate
    /// nothing.
    private static func growth(of symbol: String) -> Int {
        let text = Array(symbol.utf8)
        var growth = 1
        for (place, letter) in text.enumerated() where "AS".utf8.contains(letter) {
            var rest = text[(place + 1)...]
            var isEnded = false
            while !isEnded {
                let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                rest = rest.dropFirst(digits.count)
                let count = digits.isEmpty ? 1 : Int(String(decoding: digits, as: UTF8.self)) ?? .max
                growth *= min(count, growthLimit) + (letter == UInt8(ascii: "A") ? 1 : 0)
                guard growth <= growthLimit else { return growth }
                // A lowercase letter after `A` means that more substitutions follow.
                let next = rest.popFirst() ?? 0
                isEnded = letter != UInt8(ascii: "A") || !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
            }
        }
        return growth
    }
}
