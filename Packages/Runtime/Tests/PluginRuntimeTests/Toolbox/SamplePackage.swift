import Authoring
import PluginCore
import Signing
import Zip
import ZipWriting
@testable import BundleFormat
@testable import HostSystem
@testable import Registry

/// An extension of a sample package.
struct SampleExtension {
    /// The last label of its identifier, which follows the bundle's identifier.
    var name: String
    var point = "share"
    /// The activation rule as JSON, or `nil` for none.
    var activation: String?
    /// The limits as a JSON object, or `nil` for none.
    var limits: String?
    /// The library's content, such as the one of ``TestExtension``, or `nil` for a package without it.
    var library: [UInt8]? = SamplePackage.dummy

    var entry: String { "libSample-\(name).so" }

    fileprivate func json(of bundle: BundleIdentifier) -> String {
        let activation = activation.map { #", "activation": \#($0)"# } ?? ""
        let limits = limits.map { #", "limits": \#($0)"# } ?? ""
        return #"""
            {"identifier": "\#(bundle).\#(name)", "point": "\#(point)", "entry": "\#(entry)", "name": "Sample \#(name)"\#(activation)\#(limits)}
            """#
    }
}

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
    /// The extensions, whose libraries are packed beside the bundle's.
    var extensions: [SampleExtension] = []
    /// The extension points, each as an identifier or as a JSON object.
    var extensionPoints: [String] = []
    var permissions: [String] = []
    /// Where the plugin asks to run, or `nil` for the default.
    var isolation: String?
    /// The data version, and the number of bytes that may be copied for a higher one; `nil` for the defaults.
    var dataVersion: Int?
    var dataCopyLimit: Int?
    /// The package's file name, if it differs from what the manifest implies.
    var fileName: String?
    /// The library's content, or `nil` for a package without a library.
    var library: [UInt8]? = dummy
    /// Libraries for other hosts, by their paths.
    var libraries: [String: [UInt8]] = [:]
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
              \#(extensions.isEmpty ? "" : #""extensions": \#(list(extensions.map { $0.json(of: identifier) })),"#)
              \#(extensionPoints.isEmpty ? "" : #""extensionPoints": \#(list(extensionPoints.map { $0.hasPrefix("{") ? $0 : #"{"identifier": "\#($0)"}"# })),"#)
              \#(permissions.isEmpty ? "" : #""permissions": \#(list(permissions.map { "\"\($0)\"" })),"#)
              \#(dataVersion.map { #""dataVersion": \#($0),"# } ?? "")
              \#(dataCopyLimit.map { #""dataCopyLimit": \#($0),"# } ?? "")
              \#(isolation.map { #""isolation": "\#($0)","# } ?? "")
              "services": \#(list(services.map { "\"\($0)\"" })) }
            """#
    }

    /// A library that passes for a plugin's until its entry point is called.
    static let dummy = try? PluginRuntimeTests.library(ofC: "const void *plugin_entry_v3(void) { return NULL; }")

    /// Packs, seals and writes the package into a folder, and returns its path.
    @discardableResult
    func write(to folder: FilePath) throws -> FilePath {
        var contents = files.mapValues { Array($0.utf8) }
        contents["manifest.json"] = Array(manifest.utf8)
        let place = "lib/\(Platform.triple)/\(entry)"
        contents[place] = library
        contents.merge(self.libraries) { $1 }
        var libraries = Set(self.libraries.keys).union([place])
        for sample in extensions {
            let place = "lib/\(Platform.triple)/\(sample.entry)"
            contents[place] = sample.library
            libraries.insert(place)
        }
        let identity = BundleIdentity(
            identifier: identifier, version: SemanticVersion(version) ?? SemanticVersion(major: 0, minor: 0, patch: 0))
        let signed = try TestTeam.sealer(by: key).sign(contents, executable: libraries, of: identity)
        contents[Seal.name] = signed.seal
        contents[Seal.signatureName] = signed.signature
        var writer = ZipWriter()
        for (name, bytes) in contents {
            try writer.add(bytes, as: name, executable: libraries.contains(name), method: method)
        }
        let path = folder.appending(fileName ?? "\(identifier)-\(version).zip")
        try writer.write(to: path.string)
        return path
    }
}

extension PluginBundle {
    /// Returns a version of a bundle of which there is no file.
    static func sample(_ identifier: BundleIdentifier = .shop) -> PluginBundle {
        PluginBundle(
            identity: BundleIdentity(identifier: identifier, version: SemanticVersion(major: 1, minor: 0, patch: 0)),
            digest: String(repeating: "0", count: 64), name: "Sample", summary: "", kind: .app, entry: "libSample.so",
            appGroups: [], isolation: .host, dataVersion: 0, size: 0, installedAt: 0,
            seal: SealRecord(team: "com.example", keyID: "", libraryDigest: nil, libraryStamp: nil), hasRunSince: nil,
            requirements: [])
    }
}

/// The team whose packages the tests' hosts trust.
enum TestTeam {
    static let name = "com.example"
    /// A key that is generated for each run.
    static let key = Result { try SigningKey.generate() }

    static func sealer(by key: SigningKey? = nil) throws -> Sealer {
        Sealer(key: try key ?? self.key.get(), team: name, signedAt: 1_795_262_400)
    }

    /// Returns the content of a trust file that trusts the team, as it ships with a host.
    static func trust() throws -> String {
        """
        {"formatVersion": 1, "teams": [{"team": "\(name)", "name": "Example", "prefixes": ["\(name)"],
          "keys": [{"key": "\(try key.get().publicKey.base64)"}]}]}
        """
    }
}
