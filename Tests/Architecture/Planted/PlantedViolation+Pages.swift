extension PlantedViolation {
    private static let tests = "Packages/Core/Tests/PluginCoreTests/CoreTests.swift"
    private static func promise(_ test: String) -> Edit {
        .write("Documentation/Promises.md", "| promise | test |\n|---|---|\n| It works. | \(test) |\n")
    }

    static let pages: [PlantedViolation] = [
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
            .names, "a page names a file that does not exist", .write("README.md", "See `Sources/.../Sesion.swift`.\n"),
            says: "there is no file Sesion.swift"),
        PlantedViolation(
            .promises, "a promise names a test that does not exist", promise("[It works](../\(tests))"),
            at: "Documentation/Promises.md:3", says: "no test in \(tests) has the name \"It works\""),
        PlantedViolation(
            .promises, "a promise names no test", promise("nobody has tried it"), at: "Documentation/Promises.md:3",
            says: "without a test"),
    ]
}
