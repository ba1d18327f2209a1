import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Command lines in deleted folders and with low limits", .tags(.large))
struct CommandLineTests {
    @Test(
        "An argument that is not UTF-8 ends with 64 and never names another folder",
        arguments: ["hostapp", "bundletool"])
    func notUTF8(program: String) async throws {
        let folder = try ThrowawayFolder()
        let before = try folder.tree()
        let path = try HostApp.find().build.appending("bin/\(program)").string
        let shell = Executable("/bin/sh", leading: ["-c", #"exec "$0" "$@" "$(printf 'a\377')""#, path])
        let person = try await shell.run("list", "--sandbox", folder: folder.path)
        #expect(person.status == 64, "\(person)")
        #expect(person.stderr.contains(#"\#(program) was given bytes that are not UTF-8: "a\xFF""#), "\(person)")
        let script = try await shell.run("list", "--json", "--sandbox", folder: folder.path)
        #expect(try script.status == 64 && script.stderr == "" && script.refusal.code == "notUTF8", "\(script)")
        #expect(before.changes(to: try folder.tree()) == [])
    }

    /// The beginning of a command line that a shell runs in a folder which it has deleted.
    private static func inDeletedFolder(_ program: String) throws -> Executable {
        Executable(
            "/bin/sh",
            leading: [
                "-c", #"mkdir gone && cd gone && rmdir "$PWD" && exec "$@""#, "sh",
                try HostApp.find().build.appending("bin/\(program)").string,
            ])
    }

    @Test(
        "A relative path in a current folder that was deleted ends with 66 and is not taken from another folder",
        arguments: [
            "hostapp --sandbox NAME list", "hostapp --sandbox CATALOG/../box --catalog NAME catalog",
            "hostapp --sandbox CATALOG/../box install ./NAME.zip", "hostapp --sandbox NAME --json list",
            "hostapp --sandbox CATALOG/../box trust add org.x --key NAME.pub",
            "hostapp --sandbox CATALOG/../box catalog --trace NAME",
            "hostapp --sandbox CATALOG/../box --composition NAME catalog",
            "bundletool new NAME --identifier org.atrium.gone", "bundletool keygen --output NAME",
            "bundletool new NAME --identifier org.atrium.gone --directory NAME", "bundletool build",
            "bundletool lint", "bundletool validate NAME.zip", "bundletool run", "bundletool test ./NAME",
            "bundletool pack CATALOG --manifest CATALOG/m.json", "bundletool inspect NAME.zip",
            "bundletool verify NAME.zip --key CATALOG/k.pub", "bundletool archive test NAME.zip",
            "bundletool archive extract CATALOG/x.zip --to NAME", "bundletool catalog NAME",
            "bundletool publish CATALOG/x.zip --to NAME --keys CATALOG/keys",
            "bundletool add org.atrium.x", "bundletool add --sdk --catalog NAME --output /tmp --root CATALOG/r",
            "bundletool add --sdk --catalog https://127.0.0.1:1/ --root CATALOG/r",
        ])
    func deletedFolder(line: String) async throws {
        let folder = try ThrowawayFolder()
        try folder.write([], to: "catalog/x.zip")
        let before = try folder.tree()
        let name = "Gone\(UInt32.random(in: 0 ... .max))"
        let written = [name, "\(name).key"].map { "/\($0)" }
        defer { for path in written { try? FileManager.default.removeItem(atPath: path) } }
        let words = line.replacing("CATALOG", with: folder.path.appending("catalog").string)
            .replacing("NAME", with: name).split(separator: " ").map(String.init)
        let result = try await Self.inDeletedFolder(words[0]).run(Array(words.dropFirst()), folder: folder.path)
        #expect(result.status == 66, "\(result)")
        #expect((result.stderr + result.stdout).contains("the current folder no longer exists"), "\(result)")
        #expect(before.changes(to: try folder.tree()) == [])
        #expect(!written.contains { FileManager.default.fileExists(atPath: $0) })
    }

    @Test("A limit of open files that is too low is reported instead of a silent end", arguments: [4, 9, 13, 63])
    func descriptors(limit: Int) async throws {
        let scene = try Scene()
        let result = try await scene.shell("ulimit -n \(limit); exec \"$@\"").run("list", "--json")
        let refusal = try result.refusal
        #expect(result.status == 74 && refusal.code == "tooFewDescriptors", "\(result)")
        #expect(refusal.message.contains("only \(limit) files open at a time, and hostapp needs 64"), "\(result)")
    }

    @Test("A soft limit of open files is raised")
    func softLimit() async throws {
        let scene = try Scene()
        let result = try await scene.shell("ulimit -S -n 9; exec \"$@\"").run("open", "app://account")
        #expect(result.status == 0 && result.stdout.hasPrefix("Account\n"), "\(result)")
    }
}
