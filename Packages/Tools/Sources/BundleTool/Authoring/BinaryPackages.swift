import FoundationEssentials
import PluginCore

/// Copies of packages that are linked with libraries of the SDK in place of building the packages outside of their folders.
///
/// With `USE_LIB=1` in the environment, that holds for all other packages; `MONEY_USE_LIB=0` or `1` decides for one. A copy has links to the files
/// of the package, and a manifest that ends with other dependencies.
enum BinaryPackages {
    /// Copies a package, and those that are built with it, side by side.
    ///
    /// - Returns: The folder of the package's copy.
    @discardableResult
    static func copy(_ package: FilePath, into folder: FilePath) throws -> FilePath {
        let copy = folder.appending(package.lastComponent)
        try Files.makeFolder(copy)
        for name in try Files.names(in: package) where name != "Package.swift" && name != ".build" {
            try FileManager.default.createSymbolicLink(
                atPath: copy.appending(name).string, withDestinationPath: package.appending(name).string)
        }
        let bytes = try Files.bytes(of: package.appending("Package.swift"), limit: 1 << 20)
        // Files beside the package are where they were.
        let manifest = String(decoding: bytes, as: UTF8.self).replacing(
            #"\(Context.packageDirectory)"#, with: package.string)
        let others = manifest.matches(of: /"(\.\.\/[^"\\]+)"/).map { package.appending(String($0.1)) }
        let built = others.filter { !isBinary($0.lastComponent) }
        for other in built where Files.kind(of: folder.appending(other.lastComponent)) == nil {
            try self.copy(other, into: folder)
        }
        let change = change(linking: others.map(\.lastComponent).filter(isBinary), building: built.map(\.lastComponent))
        try Files.replace(copy.appending("Package.swift"), with: manifest + change)
        return copy
    }

    private static func isBinary(_ package: String) -> Bool {
        let variables = ProcessInfo.processInfo.environment
        return (variables["\(package.uppercased())_USE_LIB"] ?? variables["USE_LIB"]) == "1"
    }

    private static func change(linking binary: [String], building built: [String]) -> String {
        """

        let (binary, built): ([String], [String]) = (\(binary), \(built))
        for target in package.targets {
            for case .productItem(let product, let name?, _, _) in target.dependencies where binary.contains(name) {
                target.linkerSettings = (target.linkerSettings ?? []) + [.linkedLibrary(product)]
            }
            target.dependencies.removeAll {
                if case .productItem(_, let name?, _, _) = $0 { binary.contains(name) } else { false }
            }
        }
        package.dependencies.removeAll {
            if case .fileSystem(_, let path) = $0.kind { path.hasPrefix("../") } else { false }
        }
        package.dependencies += built.map { .package(path: "../\\($0)") }

        """
    }
}
