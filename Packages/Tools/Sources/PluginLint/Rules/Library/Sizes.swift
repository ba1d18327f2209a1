import Console

extension LintRule {
    /// The largest package that is downloaded in a few seconds over a mobile network, in bytes.
    static let packageLimit = 50_000_000
    /// The largest file that is usual in a plugin, in bytes.
    static let fileLimit = 10_000_000

    static let packageLarge = LintRule(
        "package-large", .warning, "the package has more than \(byteCount(packageLimit))",
        remedy: "compress images, remove what is not needed, or move resources to a bundle of kind assets"
    ) { $0.size > packageLimit ? [Problem("package", "it has \(byteCount($0.size))")] : [] }

    static let fileLarge = LintRule(
        "file-large", .warning, "a file in the package has more than \(byteCount(fileLimit))",
        remedy: "compress or remove the file"
    ) { subject in
        subject.files.filter { $0.size > fileLimit }.map { Problem($0.name, "it has \(byteCount($0.size))") }
    }
}
