import Authoring
import BundleFormat
import Console
import FoundationEssentials
import Glibc
import PluginCore
import Testing

@testable import BundleTool

/// A plugin's code is asked for its declarations when it is packed.
@Suite("Declarations in the code of a plugin", .tags(.large))
struct DeclarationTests {
    /// The manifest without everything that the code declares.
    private static let authored = """
        {"formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop", "kind": "app",
        "summary": "Buys.", "entry": "libShop.so", "coreABI": 3,
        "requires": [{"bundle": "com.example.app.account", "versions": "^1.0.0"}],
        "routes": [{"pattern": "shop", "exposure": "external"},
        {"pattern": "shop/about", "page": "about", "layout": "help/about"}],
        "targets": [{"name": "Shop", "actions": [{"name": "price", "exposure": "external"}]}]}
        """

    /// Packs a plugin whose library was written in C, and returns the error.
    private func failure(
        ofC source: String, within deadline: Duration = .seconds(30)
    ) throws -> (failure: String, output: [String]) {
        let fixture = try PluginFixture()
        try fixture.write(BundleToolTests.library(ofC: source), to: "libShop.so")
        let packer = Packer(folder: fixture.folder, library: fixture.library, deadline: deadline)
        let error = try #require(throws: CommandError.self) { try packer.pack(into: fixture.output) }
        #expect(error.exitStatus == .badInput && error.report.code == "codeNotQueried")
        #expect(error.report.subject == fixture.library.string)
        #expect(!fixture.exists(fixture.output), "a package was written")
        let failure = error.report.message.components(separatedBy: "cannot be read: ").last ?? ""
        return (failure, error.report.details)
    }

    @Test("The package's manifest has what the code declares, which pack lists, and what only the author knows")
    func completed() throws {
        let fixture = try PluginFixture(manifest: Self.authored)
        let text = try bundletool(fixture.packing).text
        #expect(text.contains("from its code    1 route, 1 action\n"), "\(text)")
        let manifest = try PackageInspection(of: fixture.package).manifest
        #expect(
            manifest.routes == [
                RouteDeclaration(
                    pattern: "shop", kind: .page, name: "home", guards: ["Account.requireSignIn"], exposure: .external),
                RouteDeclaration(pattern: "shop/about", kind: .page, name: "about", layout: "help/about"),
            ])
        #expect(
            manifest.targets == [
                TargetDeclaration(
                    name: "Shop", actions: [ActionDeclaration(name: "price", exposure: .external), "itemPage"])
            ])
        let added = try bundletool(fixture.packing + ["--json"]).json["addedFromCode"]
        #expect(added["routes"] == ["shop"] && added["actions"] == ["Shop.itemPage"] && added["services"] == [])
    }

    @Test("Every difference between manifest and code is reported with both sides, and nothing is written")
    func differences() throws {
        let fixture = try PluginFixture(
            manifest: PluginFixture.manifest
                .replacing(#""guards": ["Account.requireSignIn"]"#, with: #""guards": [], "deadline": 2"#)
                .replacing(#""page": "home""#, with: #""object": "start""#)
                .replacing("\"itemPage\"", with: "\"itmePage\""))
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .manifestInvalid && error.exitStatus == .badInput)
        let end = "; remove it here, or make both agree"
        let sentences: [String] = error.problems.map(\.sentence)
        #expect(
            sentences == [
                "routes[0].object: manifest.json says object \"start\", but the code says page \"home\"" + end,
                "routes[0].guards: manifest.json says [], but the code says [\"Account.requireSignIn\"]" + end,
                "routes[0].deadline: manifest.json says 2.0 seconds, but the code says no deadline" + end,
                "targets[0].actions[1]: manifest.json says \"Shop.itmePage\", but the code binds no such action; "
                    + "did you mean \"Shop.itemPage\"?",
            ])
        #expect(!fixture.exists(fixture.output))
    }

    /// Returns the source of an entry function with a body in C.
    private func entry(_ body: String) -> String {
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nconst void *plugin_entry_v3(void) { \(body) }"
    }

    @Test("Code that crashes, hangs, ends the process or cannot be loaded is an error that says so")
    func failing() throws {
        #expect(try failure(ofC: entry("return *(void **)0;")).failure == "it crashed (SIGSEGV)")
        let exited = try failure(ofC: entry("puts(\"good\"); fprintf(stderr, \"bye\\n\"); exit(0);"))
        #expect(exited.failure == "it ended the process with exit status 0")
        #expect(Set(exited.output) == ["it printed: good", "it printed: bye"])
        #expect(try failure(ofC: entry("_exit(3);")).failure.hasSuffix("exit status 3"))
        let expected = "it did not answer within \(Duration.milliseconds(300))"
        #expect(try failure(ofC: entry("for (;;) puts(\"more\");"), within: .milliseconds(300)).failure == expected)
        #expect(try failure(ofC: entry("return NULL;")).failure == "its entry returned nothing")
    }

    @Test("Text in place of the answer is an error, whatever its size", arguments: ["{}", "[1", ""])
    func overwritten(text: String) throws {
        let (failure, _) = try failure(
            ofC: """
                #include <stdlib.h>
                #include <string.h>
                #include <unistd.h>
                const void *plugin_entry_v3(void) {
                    static char large[5 << 20];
                    const char *text = "\(text)";
                    for (int file = 3; file < 10000; file++)
                        if (write(file, *text ? text : large, *text ? strlen(text) : sizeof large) < 0) continue;
                    _exit(0);
                }
                """)
        #expect(failure == "it printed something else in place of the answer")
    }

    @Test("The asked process has no open files of pack but those for its library and its answer")
    func descriptors() throws {
        let fixture = try PluginFixture()
        let place = fixture.root.appending("held")
        try fixture.write([], to: "held")
        let held = open(place.string, O_WRONLY)
        defer { close(held) }
        let (failure, _) = try failure(ofC: entry("dprintf(\(held), \"written by the plugin\"); _exit(5);"))
        #expect(failure.hasSuffix("exit status 5"))
        #expect(try fixture.bytes(of: place).isEmpty)
    }

    @Test(
        "When pack has failed, neither the asked process nor one that it started is left, and no file",
        .timeLimit(.minutes(5)))
    func nothingLeft() throws {
        let folder = try PluginFixture()
        let place = folder.root.appending("number")
        let source = """
            #include <stdio.h>
            #include <unistd.h>
            const void *plugin_entry_v3(void) {
                if (fork() == 0) for (;;) pause();
                FILE *file = fopen("\(place.string)", "w");
                fprintf(file, "%d", getpgrp());
                fclose(file);
                for (;;) pause();
            }
            """
        // On a busy machine, a short deadline can pass before the code has started its process.
        for deadline in [Duration.seconds(1), .seconds(4), .seconds(16)] where !folder.exists(place) {
            #expect(try failure(ofC: source, within: deadline).failure == "it did not answer within \(deadline)")
        }
        let group = try #require(Int32(String(decoding: try folder.bytes(of: place), as: UTF8.self)))
        #expect(!isRunning(group: group))
    }

    @Test("A bundle of kind lib is not asked")
    func library() throws {
        let manifest = PluginFixture.assets.replacing(
            "\"assets\"", with: #""lib", "entry": "libShop.so", "coreABI": 3"#)
        let fixture = try PluginFixture(manifest: manifest)
        let source = "#include <stdlib.h>\nconst void *plugin_entry_v3(void) { abort(); }"
        try fixture.write(BundleToolTests.library(ofC: source, "-Wl,-soname,libShop.so"), to: "libShop.so")
        let package = try fixture.packer().pack(into: fixture.output)
        #expect(try PackageInspection(of: package).manifest.kind == .lib)
    }

    @Test("Only pack's own command line starts an answer")
    func words() {
        let words = HelperProcess.words(.declarations(["./libA.so", "/b/libB.so"]), answeringTo: 7)
        #expect(HelperProcess(words) != nil)
        for other in [[], ["pack"], Array(words.dropLast(2)), words.dropLast() + ["{}"]] {
            #expect(HelperProcess(other) == nil)
        }
    }
}
