public import PluginCore
import BundleFormat
import PluginRuntime

/// The settings of a validation, which every process of it gets.
public struct ValidationSettings: Sendable, Codable {
    /// The default number of times that pages are opened to find leaks.
    public static let defaultOpens = 1000
    /// The default time limit for a call, in seconds.
    public static let defaultDeadline = 10

    /// The folder of the validation, with the packages and a sandbox for each check.
    let path: String
    /// The file name of the validated package.
    let name: String
    /// The seed of all random input. The same seed yields the same input.
    public let seed: UInt64
    /// The number of times that pages are opened to find leaks.
    public let opens: Int
    /// The time limit for a call whose route declares none, and for code that blocks the main actor, in seconds.
    public let deadline: Int

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - folder: an absolute path, because the processes have working folders of their own.
    ///   - identity: the identity of the validated package.
    public init(folder: FilePath, package identity: BundleIdentity, seed: UInt64, opens: Int, deadline: Int) {
        path = folder.string
        name = PackageFile.name(of: identity)
        self.seed = seed
        self.opens = opens
        self.deadline = deadline
    }

    /// The folder of the validation.
    public var folder: FilePath { FilePath(path) }
    /// Reads the manifest of the validated package.
    public func manifest() throws(AtriumError) -> Manifest { try package.manifest() }

    /// The folder of the packages, which is the catalog of the sandboxes.
    var packages: FilePath { ValidationPackages.catalog(in: folder) }
    /// The validated package.
    var package: PackageFile { PackageFile(path: packages.appending(name)) }
    /// The time limit for a call.
    var limit: Duration { .seconds(deadline) }
}
