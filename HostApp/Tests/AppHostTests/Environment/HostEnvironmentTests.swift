import Console
import PluginCore
import Testing

@testable import AppHost

@Suite("The environment of the host", .tags(.medium))
struct HostEnvironmentTests {
    private func environment(
        _ variables: [String: String] = [:], executable: FilePath = "/opt/atrium/bin/hostapp"
    ) -> HostEnvironment {
        HostEnvironment(variables: variables, executable: executable, workingFolder: "/home/ada")
    }

    @Test(
        "The data folder follows the XDG variables, and a relative or empty variable is ignored",
        arguments: [
            (["HOME": "/home/ada"], "/home/ada/.local/share/atrium"),
            (["HOME": "/home/ada", "XDG_DATA_HOME": "/data/"], "/data/atrium"),
            (["HOME": "/home/ada", "XDG_DATA_HOME": "data"], "/home/ada/.local/share/atrium"),
            (["HOME": "/home/ada", "XDG_DATA_HOME": ""], "/home/ada/.local/share/atrium"),
            ([:], "/users/ada/.local/share/atrium"), (["HOME": ""], "/users/ada/.local/share/atrium"),
        ] as [([String: String], String)])
    func data(variables: [String: String], expected: String) throws {
        let environment = HostEnvironment(
            variables: variables, executable: "/opt/atrium/bin/hostapp", workingFolder: "/home/ada",
            userHome: "/users/ada")
        #expect(environment.data?.string == expected)
        #expect(try environment.sandbox()?.string == expected + "/sandbox")
        #expect(environment.catalog.string == expected + "/catalog")
        #expect(environment.composition == nil)
    }

    @Test("A user without a home folder has no data folder, and no system folder is used instead")
    func homeless() throws {
        #expect(environment().data == nil)
        #expect(try environment().sandbox() == nil)
        #expect(environment(["HOME": ""]).catalog.string == "/opt/atrium/catalog")
    }

    @Test("The catalog and the composition beside the executable are used unless the user has a catalog")
    func shipped() throws {
        let folder = try TemporaryFolder()
        let variables = ["XDG_DATA_HOME": folder.path.appending("data").string]
        let environment = environment(variables, executable: folder.path.appending("app/bin/hostapp"))
        #expect(environment.catalog == folder.path.appending("data/atrium/catalog"))
        try folder.write("", to: "app/catalog/x.zip")
        let composition = try folder.write("{}", to: "app/share/atrium/bundle.json")
        #expect(environment.catalog == folder.path.appending("app/catalog"))
        #expect(environment.composition == composition)
        try folder.write("", to: "data/atrium/catalog/y.zip")
        #expect(environment.catalog == folder.path.appending("data/atrium/catalog"))
    }

    @Test("A relative path in a working folder that no longer exists is rejected, and an absolute one is not")
    func deletedWorkingFolder() throws {
        let environment = HostEnvironment(
            bytes: ["HOME": Array("/home/ada".utf8)], executable: "/opt/atrium/bin/hostapp",
            workingFolder: nil)
        let error = #expect(throws: UsageError.self) { try environment.resolve("box") }
        #expect(error?.code == .currentFolderMissing && error?.exitStatus == .notFound)
        #expect(try environment.resolve("/box") == "/box")
        #expect(try environment.sandbox() == "/home/ada/.local/share/atrium/sandbox")
    }

    @Test("A data folder that is not UTF-8, and a relative path in such a working folder, are rejected")
    func malformed() throws {
        func environment(_ variables: [String: [UInt8]]) -> HostEnvironment {
            HostEnvironment(
                bytes: variables, executable: "/opt/atrium/bin/hostapp", workingFolder: Array("/home/".utf8) + [0xfe])
        }
        let home = environment(["XDG_DATA_HOME": Array("/data/".utf8) + [0xff]])
        let error = #expect(throws: UsageError.self) { try home.sandbox() }
        #expect(error?.report.message == #"hostapp was given bytes that are not UTF-8: "XDG_DATA_HOME=/data/\xFF""#)
        #expect(throws: UsageError.self) { try environment(["HOME": [0xff]]).sandbox() }
        let other = environment(["HOME": [0xff], "XDG_DATA_HOME": Array("/data".utf8)])
        #expect(try other.sandbox() == "/data/atrium/sandbox")
        #expect(throws: UsageError.self) { try other.resolve("a") }
        #expect(try other.resolve("/a") == "/a")
    }

    @Test(
        "Relative paths are resolved against the working folder",
        arguments: [("a/b", "/home/ada/a/b"), ("/a/b", "/a/b"), (".", "/home/ada/.")])
    func paths(path: String, expected: String) throws {
        #expect(try environment().resolve(path).string == expected)
    }

    @Test(
        "A POSIX locale is converted to a BCP 47 tag",
        arguments: [
            ("zh_CN.UTF-8", "zh-Hans-CN"), ("zh_TW", "zh-Hant-TW"), ("zh_HK.UTF-8", "zh-Hant-HK"), ("zh", "zh-Hans"),
            ("zh_SG", "zh-Hans-SG"), ("zh-Hant", "zh-Hant"), ("zh-CN", "zh-Hans-CN"), ("zh_Hant_TW", "zh-Hant-TW"),
            ("en_US", "en-US"), ("en_GB.UTF-8", "en-GB"), ("de_DE@euro", "de-DE"), ("de", "de"), ("C", "en"),
            ("C.UTF-8", "en"), ("POSIX", "en"), ("", "en"), (".UTF-8", "en"), ("_", "en"),
        ])
    func tags(locale: String, tag: String) { #expect(HostEnvironment.tag(ofLocale: locale) == tag) }

    @Test(
        "The language is taken from LC_ALL, LC_MESSAGES or LANG, ignoring empty variables",
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de-DE"), (["LANG": "de", "LC_MESSAGES": "fr"], "fr"),
            (["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": "zh_CN"], "zh-Hans-CN"),
            (["LANG": "de", "LC_ALL": ""], "de"),
            ([:], "en"),
        ] as [([String: String], String)])
    func languages(variables: [String: String], expected: String) {
        #expect(environment(variables).languages == [expected])
    }
}
