internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one door to the Swift runtime's own demangler.
enum Demangling {
    /// Longer names are shown as they are.
    private static let limit = 4096

    /// A symbol's name as its author wrote it; `nil` for one that is not Swift's.
    static func swiftName(of symbol: String) -> String? {
        guard symbol.utf8.count <= limit, symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("_T"),
            let text = csystem_demangle(symbol)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
