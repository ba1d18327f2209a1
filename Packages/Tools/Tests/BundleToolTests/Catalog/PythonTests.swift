import Foundation
import PluginCore
import Testing

/// Python with python-tuf, in the virtual environment that Scripts/test makes.
private enum Python {
    static let root = String(
        #filePath.prefix(upTo: #filePath.range(of: "/Packages/Tools/")?.lowerBound ?? #filePath.startIndex))
    static let path = root + "/.build/python-tuf/bin/python"

    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }
}

@Suite(
    "python-tuf and a published catalog", .tags(.large),
    .enabled(if: Python.isPresent, "Scripts/test makes an environment with python-tuf"))
struct PythonTests {
    @Test("python-tuf finds and verifies what is published, before and after keys have changed")
    func reads() throws {
        let fixture = try CatalogFixture()
        try fixture.package("com.example.app.shop", "1.0.0", routes: ["shop", ":tab"], targets: ["Money"])
        try fixture.package("com.acme.app.map", "1.0.0", targets: ["Map"])
        try fixture.run("publish", fixture.path("packages"))
        // The key of the team is in the folder of keys.
        let key = try fixture.team("keys")
        try fixture.run("delegate", "com.acme", "--key", key)
        for role in ["timestamp", "snapshot", "targets", "packages", "root"] { try fixture.run("rotate-key", role) }
        try fixture.run("publish", "--bins", "32")
        let client = fixture.path("python-client")
        try fixture.makeFolder(fixture.root.appending("python-client"))
        try FileManager.default.copyItem(
            atPath: fixture.site.appending("metadata/1.root.json").string, toPath: client + "/initial.json")
        let arguments = [
            Python.root + "/Packages/TUF/Tests/TUFTests/Fixtures/read.py", fixture.site.string, client,
            "com.example.app.shop/versions.json", "com.acme.app.map/versions.json", "providers/routes/.json",
            "providers/routes/shop.json", "providers/targets/Map.json", "providers/targets/None.json",
            "com.acme.app.map/com.acme.app.map-1.0.0.zip",
        ]
        let output = try runProgram(at: Python.path, arguments).output
        let shop = #"{"bundles":["com.example.app.shop"],"formatVersion":1}"#
        let lines = output.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(6) == [
                #"{"formatVersion":1,"identifier":"com.example.app.shop","limits":[],"offered":["1.0.0"],"revoked":[]}"#,
                #"{"formatVersion":1,"identifier":"com.acme.app.map","limits":[],"offered":["1.0.0"],"revoked":[]}"#,
                shop, shop,
                #"{"bundles":["com.acme.app.map"],"formatVersion":1}"#, "missing",
            ], "\(output)")
        #expect(lines.count > 6 && lines[6].hasPrefix("PK"), "\(output)")
    }
}
