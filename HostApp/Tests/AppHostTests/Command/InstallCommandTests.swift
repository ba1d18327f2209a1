import Doctor
import PluginRuntime
import Registry
import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Answers of install and update", .tags(.medium))
struct InstallCommandTests {
    private let fixture: AssetsFixture
    private let notes: BundleIdentifier = "com.example.notes"

    init() throws { fixture = try AssetsFixture() }

    @Test("A staged version is reported as staged and not as installed")
    func staged() async throws {
        let waits = "\(notes)@1.1.0 is already staged; it becomes active at the next start of a host.\n"
        try await fixture.installed(notes)
        try fixture.offer(notes, version: "1.1.0")
        #expect(try await fixture.run("update", "--stage").text.hasPrefix("Staged \(notes)@1.1.0; it becomes active"))
        #expect(try await fixture.run("update", "--stage").text == waits)
        #expect(try await fixture.run("install", notes, "--stage").text == waits)
        let back = try await fixture.run("install", "\(notes)@1.0.0")
        #expect(back.text == "\(notes)@1.0.0 is already installed; 1.1.0 is no longer staged.\n")
        let change = #""changed":true,"staged":false,"waitsForData":false,"unstaged":"1.1.0""#
        #expect(back.json.text().contains(change))
        #expect(try await fixture.run("install", "\(notes)@1.0.0").text == "\(notes)@1.0.0 is already installed.\n")
    }

    @Test("The JSON of a change has the version before and what came with it, and that of a removal whether data went")
    func json() async throws {
        let library: BundleIdentifier = "com.example.words"
        try fixture.offer(library)
        try fixture.offer(notes, requires: AssetsFixture.need("\(library)"))
        let installed = try await fixture.run("install", notes, "--json").json.text()
        #expect(installed.contains("\"identifier\":\"\(notes)\",\"version\":\"1.0.0\""), "\(installed)")
        #expect(installed.contains("\"before\":null,\"changed\":true"), "\(installed)")
        #expect(installed.split(separator: "\"with\":").last?.contains("\"\(library)\"") == true, "\(installed)")
        try fixture.offer(notes, version: "1.1.0")
        let updated = try await fixture.run("update", notes, "--json").json.text()
        #expect(updated.contains("\"version\":\"1.1.0\"") && updated.contains("\"before\":\"1.0.0\",\"changed\":true"))
        let back = try await fixture.run("rollback", notes, "--json").json.text()
        #expect(back.contains("\"version\":\"1.0.0\"") && back.contains("\"before\":\"1.1.0\""), "\(back)")
        let removed = try await fixture.run("uninstall", notes, "--json").json.text()
        #expect(removed.contains("\"version\":\"1.0.0\",\"dataDeleted\":false"), "\(removed)")
        let erased = try await fixture.run("uninstall", library, "--delete-data", "--json").json.text()
        #expect(erased.contains("\"dataDeleted\":true"), "\(erased)")
    }

    /// The contents of all files below the sandbox, by their paths.
    private func files() throws -> [String: [UInt8]] {
        let root = fixture.folder.path.appending("sandbox")
        var files: [String: [UInt8]] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: root.string)) ?? [] {
            let bytes = try? Data(contentsOf: URL(filePath: root.appending(name).string))
            files[name] = bytes.map(Array.init) ?? []
        }
        return files
    }

    @Test("With --dry-run, install and update say what would change, and the sandbox has the same bytes afterwards")
    func dryRun() async throws {
        let library: BundleIdentifier = "com.example.words"
        try fixture.offer(library)
        try fixture.offer(notes, requires: AssetsFixture.need("\(library)"))
        let first = try await fixture.run("install", notes, "--dry-run")
        #expect(first.text == "Would install \(library)@1.0.0.\nWould install \(notes)@1.0.0.\n")
        #expect(try files().isEmpty)
        try await fixture.manager.install(notes)
        #expect(try await fixture.run("install", notes, "--dry-run").text == "Nothing would change.\n")
        try fixture.offer(library, version: "1.1.0")
        let before = try files()
        #expect(!before.isEmpty)
        for isNamed in [false, true] {
            let words = ["update"] + (isNamed ? [library.text] : []) + ["--dry-run"]
            let update = try await fixture.call(words).answer()
            #expect(update.text == "Would update \(library) from 1.0.0 to 1.1.0.\n")
            #expect(update.json.text().contains(#""dryRun":true"#))
            #expect(update.json.text().contains(#""from":"1.0.0","to":"1.1.0","downloadSize":null"#))
        }
        let staged = try await fixture.run("update", "--dry-run", "--stage")
        #expect(staged.text == "Would update \(library) from 1.0.0 to 1.1.0.\n")
        #expect(try files() == before)
        #expect(try await fixture.run("update").text.contains("Updated \(library) from 1.0.0 to 1.1.0."))
        #expect(try await fixture.run("update", "--dry-run").text == "Nothing would change.\n")
    }

    @Test(
        "With --dry-run, a request that cannot be fulfilled has the same error as without",
        arguments: ["com.example.none", "com.example.notes@3.0.0", "com.example.lonely"])
    func dryRunRefused(request: String) async throws {
        try fixture.offer(notes)
        try fixture.offer("com.example.lonely", requires: AssetsFixture.need("com.example.absent"))
        let dry = try #require(await failure("install", request, "--dry-run"))
        let real = try #require(await failure("install", request))
        #expect(dry.report.message == real.report.message && dry.status == real.status && dry.status != .done)
        let update = try #require(await failure("update", notes, "--dry-run"))
        let missing = await failure("update", notes)
        #expect(update.report.message == missing?.report.message)
    }

    @Test("With --dry-run, a damaged version is said to be reinstalled, and an invalid package is refused")
    func dryRunRepair() async throws {
        try harm(try await fixture.installed(notes))
        let before = try files()
        #expect(try await fixture.run("install", notes, "--dry-run").text == "Would reinstall \(notes)@1.0.0.\n")
        #expect(try files() == before)
        try fixture.folder.write("no archive", to: "catalog/\(notes)-1.1.0.zip")
        let dry = await failure("install", "\(notes)@1.1.0", "--dry-run")
        let real = await failure("install", "\(notes)@1.1.0")
        #expect(dry != nil && dry?.report.message == real?.report.message)
    }

    private func harm(_ bundle: PluginBundle) throws {
        let folder = "\(bundle.identity.identifier)/\(bundle.identity.version)-\(bundle.digest.prefix(12))"
        try fixture.folder.write("more", to: "sandbox/Containers/Bundle/Plugins/\(folder)/more")
    }

    @Test("A repaired rollback target is reported as such and not as active")
    func kept() async throws {
        let bundle = try await fixture.installed(notes)
        try fixture.offer(notes, version: "1.1.0")
        try await fixture.manager.update(notes)
        try harm(bundle)
        let remedy = try #require(await failure("rollback", notes)?.report.remedy)
        #expect(remedy.hasPrefix("reinstall it with \"hostapp install \(notes)@1.0.0\", or from its package"))
        let anew = "Reinstalled \(notes)@1.0.0; it did not match its seal, and is kept to roll back to.\n"
        #expect(try await fixture.run("install", "\(notes)@1.0.0").text == anew)
        let back = "Rolled \(notes) back from 1.1.0 to 1.0.0. "
        #expect(try await fixture.run("rollback", notes).text.hasPrefix(back))
    }

    @Test(
        "A damaged version can be repaired from the package that it was installed from, whatever the catalog offers",
        arguments: [false, true])
    func package(isReused: Bool) async throws {
        try fixture.offer(notes)
        let file = "own.zip"
        try fixture.folder.move("catalog/\(notes)-1.0.0.zip", to: file)
        _ = try await fixture.run("install", file)
        if isReused { try fixture.offer(notes, routes: AssetsFixture.page(at: "n")) }
        try harm(try #require(try fixture.manager.registry.active.bundle(notes)).active)
        let findings = Checkup(of: fixture.manager).findings().filter { $0.severity == .wrong }
        let words = "hostapp install \(notes)@1.0.0, or its package if the catalog does not have it"
        #expect(findings.map(\.remedy?.sentence) == [words])
        let failure = try #require(await failure("install", "\(notes)@1.0.0"))
        #expect(failure.report.code == (isReused ? "versionReused" : "versionUnknown"))
        let anew = "Reinstalled \(notes)@1.0.0; it did not match its seal.\n"
        #expect(try await fixture.run("install", file).text == anew)
    }

    private func failure(_ words: any CustomStringConvertible...) async -> Failure? {
        do {
            _ = try await fixture.call(words.map(\.description)).answer()
            return nil
        } catch {
            return Failure(error)
        }
    }
}
