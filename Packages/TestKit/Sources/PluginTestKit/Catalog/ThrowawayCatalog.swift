internal import FoundationEssentials
public import PluginCore
internal import PluginRuntime

/// A catalog for one test: a folder to put packages in, whole ones and changed ones. It goes with its last reference.
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
/// A signed package that is changed is signed again, so that what a test plants is the one thing that is wrong with it; unless
/// the change itself was about seal and signature.
public final class ThrowawayCatalog: Sendable {
    private let contents: ThrowawayFolder
    private let signer: SigningIdentity?

    /// An empty catalog.
    ///
    /// - Parameter signer: signs what is changed; by default with the key that signs the sample plugins. Without one, a seal stays
    ///   as it is.
    /// - Throws: what the file system throws.
    public init(signedBy signer: SigningIdentity? = .development) throws {
        contents = try ThrowawayFolder()
        self.signer = signer
    }

    /// A catalog with the packages of another one.
    ///
    /// - Throws: what the file system throws.
    public convenience init(copying folder: FilePath, signedBy signer: SigningIdentity? = .development) throws {
        try self.init(signedBy: signer)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.string) where name.hasSuffix(".zip") {
            try add(folder.appending(name))
        }
    }

    /// The folder, for `--catalog`.
    public var folder: FilePath { contents.path }

    /// The file names, sorted.
    ///
    /// - Throws: what the file system throws.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    /// Copies a package into the catalog; one of that name is replaced.
    ///
    /// - Parameter name: its file name here; by default the one it has.
    /// - Returns: its path here.
    /// - Throws: what the file system throws.
    @discardableResult
    public func add(_ package: FilePath, named name: String? = nil) throws -> FilePath {
        try write(try Data(contentsOf: URL(filePath: package.string)), named: name ?? package.lastComponent)
    }

    /// Puts a file of any content into the catalog; one of that name is replaced.
    ///
    /// - Returns: its path.
    /// - Throws: what the file system throws.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, named name: String) throws -> FilePath {
        try contents.write(bytes, to: name)
    }

    /// Makes a changed package out of an existing one, which stays as it is unless the new one has its name and place.
    ///
    /// - Returns: the new package's path.
    /// - Throws: ``FixtureError`` when a change does not fit, what opening the package throws, what `change` throws.
    @discardableResult
    public func pack(
        from package: FilePath, changing change: (inout PackageEditor) throws -> Void
    ) throws -> FilePath {
        var editor = try PackageEditor(package)
        try change(&editor)
        if let signer { try editor.restoreSeal(by: signer) }
        return try write(try editor.bytes(), named: editor.name)
    }

    /// Takes a package away.
    ///
    /// - Throws: what the file system throws.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.appending(name).string)
    }

    /// The path of one package.
    public func package(_ identifier: String, _ version: SemanticVersion) -> FilePath {
        folder.appending(PackageFile.name(of: BundleIdentity(identifier: identifier, version: version)))
    }
}
