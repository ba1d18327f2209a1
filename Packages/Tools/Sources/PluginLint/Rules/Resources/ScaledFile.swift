import Console
import PluginCore

/// The detection of files for a scale that a host or a plugin does not find.
enum ScaledFile {
    /// Returns the reason to suspect that a file for a scale is not found; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: the path below `Resources`, such as `images/icon@2x.png`.
    ///   - others: the paths of all resources.
    static func doubt(about path: String, among others: Set<String>) -> String? {
        guard let (base, scale) = parts(of: path) else { return nil }
        guard let scale, (2...BundleResources.largestScale).contains(scale) else {
            return "a file for a scale ends in @2x or @3x, and the one for scale 1 in neither; rename it"
        }
        if others.contains(base) { return nil }
        return "there is no \(quoted(base)), so code that asks for that name without a scale finds nothing; add it"
    }

    /// Returns the names of the files that an image can have, such as `icon.png` and `icon@2x.png`.
    static func names(of name: String) -> [String] {
        let file = name.split(separator: "/").last ?? ""
        let dot = file.dropFirst().lastIndex(of: ".") ?? file.endIndex
        let stem = name.dropLast(file[dot...].count)
        return [name] + (2...BundleResources.largestScale).map { "\(stem)@\($0)x\(file[dot...])" }
    }

    /// Returns the name without the scale modifier, and the scale; `nil` for a name without one.
    private static func parts(of path: String) -> (base: String, scale: Int?)? {
        let name = path.split(separator: "/").last ?? ""
        let folder = path.dropLast(name.count)
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let stem = name[..<dot]
        guard let at = stem.lastIndex(of: "@"), at > stem.startIndex, stem.last == "x" else { return nil }
        let digits = stem[stem.index(after: at)...].dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return ("\(folder)\(stem[..<at])\(name[dot...])", Int(digits))
    }
}
