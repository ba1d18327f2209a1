extension Plant {
    static let repository: [Plant] = [
        Plant(
            .topLevel, "a file lies at the top level", .write("notes.txt", ""),
            at: "notes.txt:1", says: "notes.txt is at the top level; allowed: ARCHITECTURE.md, CHANGELOG.md"),
        Plant(
            .topLevel, "a folder lies at the top level", .write("Misc/a.txt", ""),
            at: "Misc:1", says: "Misc is at the top level"),
        Plant(
            .topLevel, "the first page is missing", .remove("README.md"), at: "README.md:1",
            says: "README.md is missing"),
        Plant(
            .documentation, "a library has no page",
            .remove("Packages/SQLite/Sources/SQLite/SQLite.docc/SQLite.md"),
            at: "Packages/SQLite/Sources/SQLite/SQLite.docc/SQLite.md:1", says: "library SQLite has no page"),
        Plant(
            .documentation, "a library's page is another's",
            .write("HostApp/Sources/AppHost/AppHost.docc/AppHost.md", "# ``SQLite``\n"),
            at: "HostApp/Sources/AppHost/AppHost.docc/AppHost.md:1",
            says: "does not start with its title, # ``AppHost``"),
    ]
}
