public import BundleFormat
import HostSystem
public import PluginCore

/// The parts of a host that plugins depend on, by which another host tells before an upgrade which of them would stop.
///
/// ```json
/// { "compiler": "swift-6.3", "coreABI": 3, "formatVersion": 1, "host": "hostapp 0.3.0",
///   "libraries": ["libPluginCore.so"], "platform": "x86_64-unknown-linux-gnu" }
/// ```
public struct HostDescription: Codable, Hashable, Sendable {
    /// The version of the format of the file.
    public private(set) var formatVersion = 1
    /// The name and the version of the program.
    public let host: String
    /// The ABI version of its Core.
    public let coreABI: UInt32
    /// The compiler that built it.
    public let compiler: String
    /// The triple of its platform.
    public let platform: String
    /// The file names of the libraries that plugins may link.
    public let libraries: [String]
}

extension HostDescription {
    /// The build of the libraries that it loads.
    public var build: LibraryBuild { LibraryBuild(platform: platform, compiler: compiler, coreABI: coreABI) }

    /// Creates the description of this process.
    ///
    /// - Parameter names: the file names of the libraries that it offers in addition to those of Atrium.
    public init(ofThisHost host: String, offering names: [String]) {
        HostLibraries.offer(names)
        self.init(
            host: host, coreABI: CoreVersion.abi, compiler: CoreVersion.compiler, platform: Platform.triple,
            libraries: HostLibraries.current.names)
    }

    /// Reads a description that a host has printed.
    ///
    /// - Throws: ``AtriumError`` with code `documentInvalid`.
    public init(reading content: [UInt8], of name: String) throws(AtriumError) {
        do {
            self = try StrictJSON.decode(HostDescription.self, from: content)
        } catch {
            throw AtriumError(.init("documentInvalid"), name, reason: .finding(error))
        }
        guard formatVersion == 1 else {
            throw AtriumError(.init("documentInvalid"), name, reason: "fileTooNew", ["expected": 1])
        }
    }
}
