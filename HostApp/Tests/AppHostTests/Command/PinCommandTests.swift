import BundleFormat
import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Pins, unneeded dependencies and version details on the command line", .tags(.medium))
struct PinCommandTests {
    private let fixture: AssetsFixture
    private let notes: BundleIdentifier = "com.example.notes"

    init() throws { fixture = try AssetsFixture() }

    private func updated() async throws {
        try await fixture.installed(notes)
        try fixture.offer(notes, version: "1.1.0")
        try await fixture.manager.update(notes)
    }

    @Test("A rollback reports how long it holds, and every command that lists versions shows it")
    func rollback() async throws {
        try await updated()
        #expect(
            try await fixture.run("rollback", notes).text
                == "Rolled \(notes) back from 1.1.0 to 1.0.0. It stays there until a "
                + "version newer than 1.1.0 is available, or \"hostapp unpin \(notes)\".\n")
        let words = "it was rolled back from 1.1.0, and stays until a newer version is available"
        let expected = "\(notes)@1.0.0 stays: \(words); \"hostapp unpin \(notes)\" removes the limit.\n"
        #expect(try await fixture.run("update").text == expected)
        #expect(try await fixture.run("outdated", "--check").status == .done)
        #expect(try await fixture.run("outdated").json.text().contains("\"skippedThrough\":\"1.1.0\""))
        #expect(try await fixture.run("list").text.hasSuffix("\(notes) is limited: \(words).\n"))
        let pin = #""pin":{"versions":null,"skippedThrough":"1.1.0"}"#
        #expect(try await fixture.run("list").json.text().contains(pin))
        #expect(try await fixture.run("info", notes).text.contains("limit            \(words)\n"))
        let why = try await fixture.run("why", notes).text
        #expect(why.contains("pinned      \(words)\n") && !why.contains("hostapp update"), "\(why)")
        #expect(try await fixture.run("unpin", notes).text == "\(notes) is no longer pinned; before, \(words).\n")
        #expect(try await fixture.run("unpin", notes).text == "\(notes) is not pinned.\n")
        #expect(try await fixture.run("why", notes).text.contains("run \"hostapp update \(notes)\""))
    }

    @Test("A pin is reported, and an invalid range is rejected with an example")
    func pin() async throws {
        try await updated()
        #expect(try await fixture.run("pin", notes).text == "\(notes) is pinned to 1.1.0.\n")
        let answer = try await fixture.run("pin", "\(notes)@^2.0.0")
        #expect(answer.text == "\(notes) is pinned to ^2.0.0; 1.1.0, the active version, is not in that range.\n")
        #expect(
            answer.json.text() == "{\"identifier\":\"\(notes)\",\"version\":\"1.1.0\","
                + "\"pin\":{\"versions\":\"^2.0.0\",\"skippedThrough\":null},\"unstaged\":null}")
        await #expect(throws: UsageError.self) { try await fixture.run("pin", "\(notes)@newest") }
        let error = try await fixture.error(of: "pin", "com.example.note")
        #expect(error.code == .bundleNotInstalled && error.nearest == [notes.text])
    }

    @Test("A dependency that no plugin needs anymore is listed by gc and removed by autoremove")
    func autoremove() async throws {
        let lib: BundleIdentifier = "com.example.lib"
        try fixture.offer(lib)
        try await fixture.installed(notes, requires: AssetsFixture.need("\(lib)"))
        let nothing = "Nothing to remove: every plugin was installed by name or is needed.\n"
        #expect(try await fixture.run("autoremove").text == nothing)
        #expect(try await fixture.run("info", lib).text.contains(", because another plugin requires it\n"))
        try await fixture.manager.uninstall(notes)
        let gc = try await fixture.run("gc")
        let unneeded = "\(lib)@1.0.0 was installed as a requirement, and is no longer needed.\n"
        #expect(gc.text.contains(unneeded) && gc.text.contains("\"hostapp autoremove\""), "\(gc.text)")
        #expect(gc.json.text().contains("\"unneeded\":[\"\(lib)@1.0.0\"]"))
        #expect(try await fixture.run("autoremove").text == "Removed \(lib)@1.0.0; its data is kept.\n")
        #expect(try await fixture.run("list").text == "Nothing is installed.\n")
    }

    @Test("Info describes a plugin that is not installed from the catalog or a package file, with both digests")
    func info() async throws {
        try fixture.offer(notes)
        let path = fixture.folder.path.appending("catalog/\(notes)-1.0.0.zip")
        let package = PackageFile(path: path)
        for word in [notes.text, path.string] {
            let text = try await fixture.run("info", word).text
            #expect(text.contains("\nstate            not installed\n"), "\(text)")
            #expect(text.contains("\nseal SHA-256     \(try package.sealDigest())\n"))
            #expect(text.contains("\npackage SHA-256  \(try package.digest())\n"))
        }
        try await fixture.manager.install(notes)
        for word in [notes.text, path.string] {
            let answer = try await fixture.run("info", word)
            let text = answer.text
            #expect(text.contains("\nstate            active\n") && text.contains(", by name\n"), "\(text)")
            #expect(answer.text.contains("\npackage SHA-256  \(try package.digest())\n"))
            #expect(answer.json.text().contains("\"sealSHA256\":\"\(try package.sealDigest())\""))
        }
        try fixture.offer(notes, version: "1.1.0")
        let newer = try await fixture.run("info", fixture.folder.path.appending("catalog/\(notes)-1.1.0.zip").string)
        #expect(newer.text.contains("\nstate            not installed; 1.0.0 is active\n"), "\(newer.text)")
        let error = try await fixture.error(of: "info", "com.example.note")
        #expect(error.code == .bundleUnknown && error.nearest == [notes.text])
    }

    @Test("A package with the installed version but other content is reported and not installed")
    func repacked() async throws {
        try await fixture.installed(notes)
        try fixture.offer(notes, routes: AssetsFixture.page(at: "other"))
        let update = try await fixture.run("update").text
        #expect(update.hasPrefix("\(notes)@1.0.0 stays; ") && update.contains("raise the version"), "\(update)")
        let why = try await fixture.run("why", notes).text
        #expect(why.contains("what to do  raise the version in manifest.json and pack again"), "\(why)")
        let different = "is installed from a different package of the same version"
        #expect(try await fixture.run("outdated").text.contains(different))
    }
}
