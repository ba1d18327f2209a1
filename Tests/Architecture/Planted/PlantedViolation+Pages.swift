extension PlantedViolation {
    private static let session = "HostApp/Sources/AppHost/Session.swift"
    private static let tests = "Packages/Core/Tests/PluginCoreTests/CoreTests.swift"
    private static let record =
        "# 0001: A title\n\n## Context\n\n## Decision\n\n## Consequences\n\n## Alternatives considered\n"
    private static let index = Edit.write("Documentation/Decisions/README.md", "- [0001](0001-a-title.md): A title\n")
    private static func promise(_ test: String) -> Edit {
        .write("Documentation/Promises.md", "| promise | test |\n|---|---|\n| It works. | \(test) |\n")
    }
    // In two parts, or the rule would find them here.
    private static let split = "can" + " not"

    static let pages: [PlantedViolation] = [
        PlantedViolation(
            .cannot, "the two words are on two lines of a comment", .append(session, "// It can\n// not fail.\n"),
            says: "two words"),
        PlantedViolation(
            .cannot, "a message writes \"cannot\" as two words",
            .append("Packages/Tools/Sources/bundletool/main.swift", "let text = \"C\(split.dropFirst()) be read\"\n"),
            says: "two words"),
        PlantedViolation(
            .cannot, "a page writes \"cannot\" as two words", .write("README.md", "# Tiny\n\nIt \(split) fail.\n"),
            at: "README.md:3", says: "two words"),
        PlantedViolation(
            .openings, "a doc comment begins with a clause",
            .append(tests, "/// Whether it works.\nlet works = true\n"), says: "begins with \"Whether\""),
        PlantedViolation(
            .abstracts, "the first paragraph of a doc comment is long",
            .append(
                tests,
                "/// " + String(repeating: "long ", count: 20) + "\n/// " + String(repeating: "text ", count: 20)
                    + "\nlet long = true\n"), says: "has 201 characters; allowed: 150"),
        PlantedViolation(
            .shortPages, "the first page is a manual", .write("README.md", String(repeating: "line\n", count: 121)),
            at: "README.md:121", says: "has 121 lines; allowed: 120"),
        PlantedViolation(
            .links, "a link leads nowhere", .write("README.md", "# Tiny\n\n[Here](Documentation/Here.md#part)\n"),
            at: "README.md:3", says: "there is no Documentation/Here.md"),
        PlantedViolation(
            .links, "a path leads nowhere", .write("README.md", "See `Packages/Corr`.\n"),
            says: "there is no Packages/Corr"),
        PlantedViolation(
            .names, "a page names a type that does not exist", .write("README.md", "`Sesion` is a type.\n"),
            says: "there is no type Sesion"),
        PlantedViolation(
            .names, "a diagram names a type that does not exist",
            .write("ARCHITECTURE.md", "  participant M as BundleManajer\n"), says: "there is no type BundleManajer"),
        PlantedViolation(
            .names, "a page names a file that does not exist", .write("README.md", "See `Sources/.../Sesion.swift`.\n"),
            says: "there is no file Sesion.swift"),
        PlantedViolation(
            .decisions, "a record is not in the index", .write("Documentation/Decisions/0001-a-title.md", record),
            says: "README.md does not list it"),
        PlantedViolation(
            .decisions, "a record lacks a chapter", index,
            .write("Documentation/Decisions/0001-a-title.md", record.replacing("## Consequences\n\n", with: "")),
            at: "Documentation/Decisions/0001-a-title.md:1", says: "its chapters are not those of a record"),
        PlantedViolation(
            .decisions, "a record has another one's number", index,
            .write("Documentation/Decisions/0001-a-title.md", record.replacing("0001", with: "0002")),
            at: "Documentation/Decisions/0001-a-title.md:1", says: "its title does not begin with its number"),
        PlantedViolation(
            .promises, "a promise names a test that does not exist", promise("[It works](../\(tests))"),
            at: "Documentation/Promises.md:3", says: "no test in \(tests) has the name \"It works\""),
        PlantedViolation(
            .promises, "a promise names a suite in place of a test",
            .append(
                tests, "@Suite(\"It works\", .tags(.small)) struct WorkTests {\n@Test(\"It starts\") func f() {}\n}\n"),
            promise("[It works](../\(tests))"), at: "Documentation/Promises.md:3", says: "no test in"),
        PlantedViolation(
            .promises, "a promise names no test", promise("nobody has tried it"), at: "Documentation/Promises.md:3",
            says: "without a test"),
    ]
}
