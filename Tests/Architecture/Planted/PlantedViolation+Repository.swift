extension PlantedViolation {
    private static let core = "Packages/Core/Sources/PluginCore/Core.swift"
    /// A table of budgets with one row.
    private static func budget(_ path: String, files: Int, lines: Int) -> Edit {
        .write("ARCHITECTURE.md", "| Core | `\(path)` | \(files) | \(lines) | 43 |\n")
    }

    static let repository: [PlantedViolation] = [
        PlantedViolation(
            .topLevel, "a file lies at the top level", .write("notes.txt", ""),
            says: "notes.txt is at the top level; allowed: ARCHITECTURE.md, CHANGELOG.md"),
        PlantedViolation(.topLevel, "the first page is missing", .remove("README.md"), says: "README.md is missing"),
        PlantedViolation(
            .documentation, "a library has no page",
            .remove("Packages/SQLite/Sources/SQLite/SQLite.docc/SQLite.md"),
            says: "library SQLite has no page"),
        PlantedViolation(
            .documentation, "a library's page is another's",
            .write("HostApp/Sources/AppHost/AppHost.docc/AppHost.md", "# ``SQLite``\n"),
            says: "does not start with its title, # ``AppHost``"),
        PlantedViolation(
            .budgets, "a part has more lines than its budget", budget(core, files: 1, lines: 4),
            at: "ARCHITECTURE.md:1", says: "Core has 5 lines or words; allowed: 4"),
        PlantedViolation(
            .budgets, "a part has more files than its budget",
            budget("Packages/Core/Sources/PluginCore", files: 1, lines: 7),
            at: "ARCHITECTURE.md:1", says: "Core has 2 files; allowed: 1"),
        PlantedViolation(
            .budgets, "long lines in place of many",
            .append(core, "let text = \"\(String(repeating: "long ", count: 60))\"\n"),
            budget(core, files: 1, lines: 6),
            at: "ARCHITECTURE.md:1", says: "bytes; allowed: 258"),
        PlantedViolation(
            .budgets, "a budget is kept for what was removed", budget(core, files: 1, lines: 50),
            at: "ARCHITECTURE.md:1", says: "lower its budget of 50"),
        PlantedViolation(
            .budgets, "a file is in no part", budget(core, files: 1, lines: 5), at: "Scripts/test:1",
            says: "is in no row"),
    ]
}
