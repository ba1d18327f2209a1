import Zip

/// Writes an export of the role com.acme without files.
func writeExport(_ metadata: [UInt8], to path: String) throws {
    var writer = ZipWriter()
    try writer.add(metadata, as: "metadata/com.acme.json")
    try writer.write(to: path)
}
