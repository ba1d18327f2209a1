import Foundation
import PluginCore
import Testing

@testable import SystemLinks

@Suite("The registration of a host for the app's links", .tags(.large), .timeLimit(.minutes(1)))
struct LinkRegistrationTests {
    private let folder: LinkFolder

    init() throws {
        folder = try LinkFolder()
    }

    private func registration(_ command: [String] = ["/opt/app/bin/acme", "open", "--external"]) -> LinkRegistration {
        let (data, configuration) = (folder.path.appending("data"), folder.path.appending("config"))
        return LinkRegistration(
            name: "acme", command: command, schemes: ["app"],
            in: LinkRegistration.Surroundings(
                data: data, configuration: configuration, searchPath: "/usr/bin:/bin",
                variables: [
                    "HOME": folder.path.string, "XDG_DATA_HOME": data.string, "XDG_CONFIG_HOME": configuration.string,
                    "XDG_DATA_DIRS": folder.path.appending("none").string, "XDG_CURRENT_DESKTOP": "", "DISPLAY": "",
                ]))
    }

    @Test("makes the host the default for the scheme, and takes back all that it has written")
    func registered() async throws {
        let registration = registration()
        #expect(try await registration.unregister() == nil)
        let steps = try await registration.register()
        #expect(steps.map(\.outcome) == [.done, .done], "\(steps)")
        let status = try await registration.status()
        #expect(status.isThere && status.isCurrent && status.defaults == ["app": "acme.desktop"])
        #expect(folder.text("config/mimeapps.list")?.contains("x-scheme-handler/app=acme.desktop") == true)
        #expect(try await registration.unregister() != nil)
        #expect(folder.text("data/applications/acme.desktop") == nil)
        #expect(folder.text("config/mimeapps.list")?.contains("acme") == false)
        #expect(try await registration.status().defaults == [:])
    }

    @Test("leaves the user's other defaults as they are")
    func others() async throws {
        let list = "[Default Applications]\ntext/html=web.desktop\nx-scheme-handler/app=other.desktop;acme.desktop;\n"
        try folder.write(list, to: "config/mimeapps.list")
        _ = try await registration().unregister()
        #expect(folder.text("config/mimeapps.list") == list.replacingOccurrences(of: "acme.desktop;", with: ""))
    }

    @Test("neither replaces nor removes the desktop file of another program")
    func foreign() async throws {
        try folder.write("[Desktop Entry]\nName=Other\n", to: "data/applications/acme.desktop")
        let errors = [
            await #expect(throws: AtriumError.self) { _ = try await registration().register() },
            await #expect(throws: AtriumError.self) { _ = try await registration().unregister() },
        ]
        #expect(errors.map { $0?.code } == [.desktopFileForeign, .desktopFileForeign])
        #expect(folder.text("data/applications/acme.desktop") == "[Desktop Entry]\nName=Other\n")
    }

    @Test(
        "writes a file that desktop-file-validate accepts, however the program is called",
        arguments: ["/opt/app/bin/acme", "/opt/my apps/acme", "/opt/a\"b$c`d\\e%f/acme", "/opt/späti/acme"])
    func valid(program: String) async throws {
        _ = try await registration([program, "--sandbox", "/tmp/with space", "open", "--external"]).register()
        let validator = Process()
        let output = Pipe()
        validator.executableURL = URL(filePath: "/usr/bin/desktop-file-validate")
        validator.arguments = [folder.path.appending("data/applications/acme.desktop").string]
        validator.standardOutput = output
        try validator.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        validator.waitUntilExit()
        #expect(validator.terminationStatus == 0 && text.isEmpty, "\(text)")
    }

    @Test("quotes words by the rules of the Desktop Entry Specification")
    func quoting() {
        let entry = DesktopFile(name: "acme", command: ["/a/b", "/c d", "/e\"$`\\%"], schemes: ["app", "acme"])
        #expect(entry.text.contains("\nExec=/a/b \"/c d\" \"/e\\\\\"\\\\$\\\\`\\\\\\\\%%\" %u\n"), "\(entry.text)")
        #expect(entry.text.contains("\nMimeType=x-scheme-handler/app;x-scheme-handler/acme;\n"))
    }
}
