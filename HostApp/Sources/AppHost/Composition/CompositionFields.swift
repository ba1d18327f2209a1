import HostSystem
import PluginCore

extension ManifestFields {
    /// Reads a file of an app, and reports every problem at once, each with its path.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for errors.
    ///   - code: the code of the error.
    ///   - tooNew: the reason for an unknown format version, with which the rest of the file cannot be validated.
    static func read<Document>(
        _ bytes: [UInt8], of name: String, _ code: AtriumError.Code, tooNew: String,
        _ body: (ManifestFields) -> Document
    ) throws(AtriumError) -> Document {
        let problems = ManifestProblems()
        var version: Double?
        let document: Document
        do {
            document = try read(bytes, reporting: problems) { fields in
                version = fields.value("formatVersion", isRequired: true)
                return body(fields)
            }
        } catch let error as JSONError {
            throw AtriumError(code, name, reason: .finding(error))
        } catch {
            throw AtriumError(code, name, problems: [ErrorReason("objectExpected")])
        }
        if let version, version != 1 {
            throw AtriumError(code, name, problems: [.at("formatVersion", ErrorReason(tooNew, ["expected": 1]))])
        }
        guard problems.all.isEmpty else { throw AtriumError(code, name, problems: problems.all) }
        return document
    }
}
