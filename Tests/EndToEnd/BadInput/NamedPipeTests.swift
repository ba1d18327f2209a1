import PluginCore
import PluginTestKit
import Testing

@Suite("Named pipes, devices and folders in place of files", .tags(.large))
struct NamedPipeTests {
    /// Long enough for a busy machine; a command that waits for the pipe never ends.
    private static let patience = Duration.seconds(60)

    @Test(
        "A named pipe that no program uses is answered with a word by every command that takes a file",
        arguments: [
            "hostapp catalog trust PIPE --catalog http://127.0.0.1:1",
            "hostapp catalog add x http://127.0.0.1:1 --root PIPE",
            "hostapp catalog add x https://127.0.0.1:1 --ca PIPE", "hostapp trust add org.x --key PIPE",
            "hostapp --catalog https://127.0.0.1:1 --catalog-ca PIPE catalog refresh",
            "hostapp --composition PIPE app install", "hostapp --composition PIPE open",
            "hostapp app install --lock PIPE",
            "hostapp --trace PIPE list", "hostapp graph --format json --output PIPE", "hostapp install PIPE.zip",
            "hostapp info PIPE.zip", "hostapp share --input PIPE", "hostapp share PIPE",
            "bundletool pack FOLDER -m PIPE", "bundletool pack FOLDER --library PIPE --key PIPE --team org.x",
            "bundletool keygen --output FOLDER/key --password-file PIPE", "bundletool inspect PIPE",
            "bundletool verify PIPE --key PIPE",
            "bundletool verify PIPE --trust PIPE", "bundletool sign PIPE --key PIPE --team org.x",
            "bundletool archive test PIPE",
            "bundletool archive list PIPE", "bundletool archive extract PIPE --to FOLDER/new", "bundletool lint PIPE",
            "bundletool lint FOLDER --library PIPE", "bundletool validate PIPE", "bundletool catalog PIPE",
            "bundletool publish PIPE --to FOLDER/site --keys FOLDER/keys --password-file PIPE",
            "bundletool publish --import PIPE --to FOLDER/site --keys FOLDER/keys",
            "bundletool sign-metadata PIPE --keys FOLDER",
            "bundletool add --sdk --catalog https://127.0.0.1:1 --root PIPE",
        ])
    func pipes(line: String) async throws {
        let folder = try ThrowawayFolder()
        try folder.write([], to: "plugin/a")
        for name in ["pipe", "pipe.zip"] {
            try await Executable("/usr/bin/mkfifo").run(folder.path.appending(name).string).succeeded()
        }
        let words = line.replacing("PIPE", with: folder.path.appending("pipe").string)
            .replacing("FOLDER", with: folder.path.appending("plugin").string).split(separator: " ").map(String.init)
        let build = try HostApp.find().build
        var arguments = Array(words.dropFirst())
        if words[0] == "hostapp" {
            arguments = ["--sandbox", folder.path.appending("box").string] + arguments
            if !line.contains("--catalog ") { arguments += ["--catalog", build.appending("catalog").string] }
        }
        let program = Executable(build.appending("bin/\(words[0])"))
        let result = try await program.run(arguments, timeout: Self.patience)
        #expect(result.status != 0, "\(result)")
        #expect(result.stderr.contains("error: ") || result.stdout.contains("refused"), "\(result)")
        #expect(!result.stderr.contains("internal error"), "\(result)")
    }
}

@Suite("The password in the address of a catalog", .tags(.large))
struct CatalogPasswordTests {
    @Test("A password is in no output and in no file but the private list of catalogs")
    func hidden() async throws {
        let scene = try await Scene(installed: Scene.account)
        let folder = try ThrowawayFolder()
        let host = Executable(
            scene.host.hostapp.path, leading: ["--sandbox", scene.sandbox.root.string])
        let address = "http://ada:s3cret@127.0.0.1:1"
        let lines = [
            ["catalog", "add", "mine", address], ["catalog", "add", "mine", address], ["catalog", "sources"],
            ["catalog", "refresh"], ["catalog", "list"], ["install", Scene.shop], ["update"], ["outdated"], ["doctor"],
            ["catalog", "add", "more", "http://ada:s3cret@ 127.0.0.1"], ["catalog", "add", address, address],
            ["--catalog", address, "catalog", "trust", "nothing"], ["--catalog", "ftp://ada:s3cret@h", "list"],
            ["--catalog", address, "install", Scene.shop], ["--catalog", address, "--verbose", "open", "app://shop"],
            ["--trace", folder.path.appending("trace").string, "catalog", "refresh"], ["install", address],
            ["catalog", "remove", address],
        ]
        for line in lines {
            for options in [[], ["--json"]] {
                let result = try await host.run(options + line)
                #expect(!(result.stdout + result.stderr).contains("s3cret"), "\(result)")
            }
        }
        for place in [scene.sandbox.root, folder.path] {
            let found = try await Executable("/bin/grep").run("-rl", "s3cret", place.string)
            #expect(found.stdout.split(separator: "\n").allSatisfy { $0.hasSuffix("/sources.json") }, "\(found)")
        }
    }
}
