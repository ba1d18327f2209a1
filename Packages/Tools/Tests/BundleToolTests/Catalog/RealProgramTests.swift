import Foundation
import PluginCore
import Testing

/// The tests above run in a process with all of Foundation; the program has only a part of it, in which some values have other types.
@Suite("The program bundletool with a catalog", .tags(.large))
struct RealProgramTests {
    @Test("creates, changes and shows a catalog")
    func commands() throws {
        let fixture = try CatalogFixture(isNew: true)
        try fixture.package()
        let options = ["--to", fixture.site.string] + fixture.signing()
        for words in [
            ["publish", fixture.path("packages")] + options, ["renew"] + options,
            ["rotate-key", "timestamp"] + options,
            ["revoke", "com.example.app.shop@1.0.0", "--reason", "No."] + options, ["catalog", fixture.site.string],
        ] {
            let (status, output) = try runProgram(words)
            #expect(status == 0, "\(words): \(output)")
        }
        let (status, output) = try runProgram(["publish", fixture.path("packages")] + options)
        #expect(status == 77 && output.contains("was revoked: No."), "\(output)")
    }
}
