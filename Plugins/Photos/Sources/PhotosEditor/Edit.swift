internal import PluginCore
internal import PluginExtension

/// An edit of a picture, which can be written as a description and read again.
struct Edit: Hashable, Sendable {
    /// The format of the descriptions.
    static let format = "com.example.app.photos.edit-1"

    var isGray: Bool
    /// The rotation clockwise, in steps of 90 degrees from 0 to 3.
    var quarterTurns: Int

    /// Reads a description.
    ///
    /// - Throws: ``AtriumError`` with code `editUnknown` for another format, an unknown setting, or an unknown value.
    init(_ description: PhotoEdit) throws(AtriumError) {
        guard [nil, Self.format].contains(description.format) else {
            throw AtriumError(
                .editUnknown, description.format ?? "", message: "the edit was made by another editor",
                remedy: "start again with the original picture")
        }
        var (isGray, degrees) = (false, "0")
        for (key, value) in description.settings.sorted(by: { $0.key < $1.key }) {
            switch (key, value) {
            case ("gray", "true"), ("gray", "false"): isGray = value == "true"
            case ("rotation", _) where ["0", "90", "180", "270"].contains(value): degrees = value
            default:
                throw AtriumError(
                    .editUnknown, "\(key)=\(value)", message: "the editor has no setting \(key)=\(value)",
                    remedy: "use gray=true or false, and rotation=0, 90, 180 or 270")
            }
        }
        self.isGray = isGray
        quarterTurns = (Int(degrees) ?? 0) / 90
    }

    /// The description, from which the same edit is read.
    var description: PhotoEdit {
        PhotoEdit(format: Self.format, settings: ["gray": "\(isGray)", "rotation": "\(quarterTurns * 90)"])
    }
}
