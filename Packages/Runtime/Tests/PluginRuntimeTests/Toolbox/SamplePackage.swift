import PluginCore
import PluginRuntime
import Signing
import Zip
@testable import BundleFormat
@testable import HostSystem

/// A package whose library can be installed but not loaded; a test sets only the fields that matter to it.
struct SamplePackage {
    var identifier: BundleIdentifier = "com.example.app.shop"
    var version = "1.0.0"
    var kind = "app"
    /// The file name of the library.
    var entry = "libSample.so"
    var coreABI = CoreVersion.abi
    var requires: [BundleIdentifier: String] = [:]
    /// The requirements that are installed on demand.
    var calls: [BundleIdentifier: String] = [:]
    var appGroups: [String] = []
    /// Route patterns, each of which opens a page, or routes as JSON objects.
    var routes: [String] = []
    /// Target names, each with the action `act`, or targets as JSON objects.
    var targets: [String] = []
    var services: [String] = []
    /// The package's file name, if it differs from what the manifest implies.
    var fileName: String?
    /// The library's content, or `nil` for a package without a library.
    var library: [UInt8]? = dummy
    var files: [String: String] = ["Resources/Pages/main.json": "{}"]
    var method = ZipMethod.stored
    /// The signing key, or `nil` for the team's first key. The seal is the same for every key.
    var key: SigningKey?

    var manifest: String {
        let list = { (items: [String]) in "[" + items.joined(separator: ", ") + "]" }
        let needs =
            requires.sorted { $0.key < $1.key }.map { #"{"bundle": "\#($0)", "versions": "\#($1)"}"# }
            + calls.sorted { $0.key < $1.key }.map { #"{"bundle": "\#($0)", "versions": "\#($1)", "onDemand": true}"# }
        let code = kind == "assets" ? "" : #""entry": "\#(entry)", "coreABI": \#(coreABI),"#
        return #"""
            { "formatVersion": 1, "identifier": "\#(identifier)", "version": "\#(version)", "name": "Sample",
              "kind": "\#(kind)", \#(code)
              "requires": \#(list(needs)),
              "appGroups": \#(list(appGroups.map { "\"\($0)\"" })),
              "routes": \#(list(routes.map { $0.hasPrefix("{") ? $0 : #"{"pattern": "\#($0)", "page": "page"}"# })),
              "targets": \#(list(targets.map { $0.hasPrefix("{") ? $0 : #"{"name": "\#($0)", "actions": ["act"]}"# })),
              "services": \#(list(services.map { "\"\($0)\"" })) }
            """#
    }

    /// A library that passes for a plugin's until its entry point is called.
    static let dummy = try? PluginRuntimeTests.library(ofC: "const void *plugin_entry_v2(void) { return NULL; }")

    /// Packs, seals and writes the package into a folder, and returns its path.
    @discardableResult
    func write(to folder: FilePath) throws -> FilePath {
        var contents = files.mapValues { Array($0.utf8) }
        contents["manifest.json"] = Array(manifest.utf8)
        let place = "lib/\(Platform.triple)/\(entry)"
        contents[place] = library
        let sealed = try contents.map { name, bytes in
            Seal.File(
                path: name, size: UInt64(bytes.count), sha256: try SHA256Hasher.digest(of: bytes).hexadecimal,
                isExecutable: name == place)
        }
        let identity = BundleIdentity(
            identifier: identifier, version: SemanticVersion(version) ?? SemanticVersion(major: 0, minor: 0, patch: 0))
        let signed = try TestTeam.sealer(by: key).sign(sealed, of: identity)
        contents[Seal.name] = signed.seal
        contents[Seal.signatureName] = signed.signature
        var writer = ZipWriter()
        for (name, bytes) in contents {
            try writer.add(bytes, as: name, executable: name == place, method: method)
        }
        let path = folder.appending(fileName ?? "\(identifier)-\(version).zip")
        try writer.write(to: path.string)
        return path
    }
}
