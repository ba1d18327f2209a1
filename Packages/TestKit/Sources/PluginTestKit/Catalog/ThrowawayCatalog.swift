import BundleFormat
internal import FoundationEssentials
public import PluginCore
internal import PluginRuntime

/// A catalog for one test: a folder of packages that is removed with the last reference.
///
/// ```swift
/// let catalog = try ThrowawayCatalog()
/// let shop = try catalog.add(host.catalog.appending("com.example.app.shop-1.1.0.zip"))
/// try catalog.pack(from: shop) { package in
///     try package.rename(version: "1.2.0")
///     try package.setManifest("coreABI", to: "2")
/// }
/// ```
///
/// A changed package is signed again, so that the test's change is its only defect, unless the change itself concerns seal and signature.
public final class ThrowawayCatalog: Sendable {
    private let contents: ThrowawayFolder
    private let signer: SigningIdentity?

    /// Creates an empty catalog.
    ///
    /// - Parameter signer: The identity that signs changed packages, by default that of the sample plugins. With `nil`, seals are not
    ///   updated.
    /// - Throws: The errors of the file system.
    public init(signedBy signer: SigningIdentity? = .development) throws {
        contents = try ThrowawayFolder()
        self.signer = signer
    }

    /// Creates a catalog with copies of the packages of another one.
    ///
    /// - Throws: The errors of the file system.
    public convenience init(copying folder: FilePath, signedBy signer: SigningIdentity? = .development) throws {
        try self.init(signedBy: signer)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.string) where name.hasSuffix(".zip") {
            try add(folder.appending(name))
        }
    }

    /// The folder of the catalog, for the command line.
    public var folder: FilePath { contents.path }

    /// Returns the sorted file names.
    ///
    /// - Throws: The errors of the file system.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    /// Copies a package into the catalog and replaces one with the same name.
    ///
    /// - Parameters:
    ///   - package: The path of the package.
    ///   - name: The file name in the catalog, by default the original one.
    /// - Returns: The path in the catalog.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func add(_ package: FilePath, named name: String? = nil) throws -> FilePath {
        try write(try Data(contentsOf: URL(filePath: package.string)), named: name ?? package.lastComponent)
    }

    /// Writes a file with any content into the catalog and replaces one with the same name.
    ///
    /// - Returns: The path in the catalog.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, named name: String) throws -> FilePath {
        try contents.write(bytes, to: name)
    }

    /// Creates a changed package from an existing one, which is replaced only if the new one has the same path.
    ///
    /// - Returns: The path of the new package.
    /// - Throws: ``FixtureError`` if a change is not possible, the errors of opening the package, and the errors of `change`.
    @discardableResult
    public func pack(
        from package: FilePath, changing change: (inout PackageEditor) throws -> Void
    ) throws -> FilePath {
        var editor = try PackageEditor(package)
        try change(&editor)
        if let signer { try editor.restoreSeal(by: signer) }
        return try write(try editor.bytes(), named: editor.name)
    }

    /// Removes a package.
    ///
    /// - Throws: The errors of the file system.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.appending(name).string)
    }

    /// Returns the path of a package.
    public func package(_ identifier: String, _ version: SemanticVersion) -> FilePath {
        folder.appending("\(identifier)-\(version).zip")
    }
}
