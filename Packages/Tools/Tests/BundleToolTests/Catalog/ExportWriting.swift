import ZipWriting

/// Writes an export of a role without files.
func writeExport(_ metadata: [UInt8], of role: String = "com.acme", to path: String) throws {
    var writer = ZipWriter()
    try writer.add(metadata, as: "metadata/\(role).json")
    try writer.write(to: path)
}
