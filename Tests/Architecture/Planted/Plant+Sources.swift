extension Plant {
    private static let session = "HostApp/Sources/AppHost/Session.swift"
    private static let door = "Packages/Runtime/Sources/HostSystem/Libraries/DynamicLibrary.swift"

    static let sources: [Plant] = [
        Plant(
            .oneDoor, "another file opens a library", .append(session, "let handle = dlopen(\"x\", 1)\n"),
            at: "\(session):6", says: "uses dlopen; allowed: only in \(door)"),
        Plant(
            .oneDoor, "another file hands the function on", .append(session, "let look = dlsym\n"),
            at: "\(session):6", says: "uses dlsym"),
        Plant(
            .oneDoor, "C code opens a library",
            .append(
                "Packages/Core/Sources/CPluginEntry/entry.c", "/* dlopen( */ void *h(void) { return dlopen(0, 1); }\n"),
            at: "Packages/Core/Sources/CPluginEntry/entry.c:2", says: "uses dlopen"),
        Plant(
            .oneDoor, "the door is not where the rule looks", .write(door, "import Glibc\n"),
            at: "\(door):1", says: "opens no library"),
        Plant(
            .oneReader, "a file has a JSON reader of its own", .append(session, "let decoder = JSONDecoder()\n"),
            at: "\(session):6", says: "uses JSONDecoder"),
        Plant(
            .lightStart, "a product imports Foundation", .append(session, "internal import Foundation\n"),
            at: "\(session):6", says: "imports Foundation, which makes every start slower"),
        Plant(
            .lightStart, "a plugin imports a part of Foundation behind #if",
            .append(
                "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift",
                "#if DEBUG\nimport class Foundation.Process\n#endif\n"),
            at: "Plugins/Alpha/Sources/Alpha/AlphaBundle.swift:5", says: "imports Foundation"),
        Plant(
            .noTraps, "a product tries with force", .append(session, "let a = try! make()\n"),
            at: "\(session):6", says: "uses try!"),
        Plant(
            .noTraps, "a product casts with force, inside of a text",
            .append(session, "let a = #\"\"\"\n  \"\\(1)\" \\#(b as! Int)\n  \"\"\"#\n"),
            at: "\(session):7", says: "uses as!"),
        Plant(
            .noTraps, "a product gives up", .append(session, "func a() { fatalError(\"no\") }\n"),
            at: "\(session):6", says: "uses fatalError"),
        Plant(
            .noTraps, "a product takes for granted", .append(session, "func a() -> Never { preconditionFailure() }\n"),
            at: "\(session):6", says: "uses preconditionFailure"),
        Plant(
            .reasons, "a type is said to be Sendable, without a reason",
            .append(session, "\nfinal class Cell: @unchecked Sendable {}  // Checked elsewhere.\n"),
            at: "\(session):7", says: "@unchecked Sendable without a reason"),
        Plant(
            .reasons, "a variable is said to be safe, with a comment that does not begin with the reason",
            .append(session, "// Plain memory, because it is.\nnonisolated(unsafe) var plain = 1\n"),
            at: "\(session):7", says: "nonisolated(unsafe) without a reason"),
        Plant(
            .reasons, "a variable is said to be safe, with a text for a reason",
            .append(session, "nonisolated(unsafe) var why = \"because\"\n"),
            at: "\(session):6", says: "nonisolated(unsafe) without a reason"),
    ]
}
