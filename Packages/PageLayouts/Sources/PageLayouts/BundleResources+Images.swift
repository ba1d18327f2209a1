public import PluginCore

extension BundleResources {
    /// Returns an image of the bundle for a page.
    ///
    /// The file is chosen by name, scale and language as by ``file(_:scale:limit:)``, so `de.lproj/logo@2x.png` is an image for German users. An image
    /// that is missing, damaged, or larger than `PageImage.largestFile` is shown as its text, and reported to the host once.
    ///
    /// ```swift
    /// let resources = context.resources
    /// let picture = PageElement.image(resources.image("lamp.png", text: resources.string("lamp.picture")))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the PNG file below `Resources`, without a scale modifier.
    ///   - text: What the image shows, or an empty text for an image that only decorates.
    ///   - scale: The number of pixels per point that the host is assumed to have.
    public func image(_ name: String, text: String, scale: Int = 2) -> PageImage {
        do {
            let file = try self.file(name, scale: scale, limit: PageImage.largestFile)
            return PageImage(png: file.bytes, text: text, scale: file.scale)
        } catch {
            report(error, ofImage: name)
            return PageImage(png: [], text: text)
        }
    }
}

/// The file of a resource for a scale, with the scale that it was drawn for.
public struct ScaledResource: Hashable, Sendable {
    /// The name of the file, such as images/icon@2x.png.
    public let name: String
    /// The scale of the file: the number of its pixels per point, 1 for a file without a scale modifier.
    public let scale: Int
    /// The content of the file.
    public let bytes: [UInt8]
}

extension BundleResources {
    /// The largest scale for which a resource can have a file, as on Apple's platforms.
    public static let largestScale = 3

    /// Returns the best file of a resource for a scale: `icon.png`, `icon@2x.png` or `icon@3x.png`.
    ///
    /// The file of the asked scale is best, then that of the next larger scale, then that of the largest smaller one. It is the rule by which
    /// `NSImage` chooses among representations: one that matches the resolution of the device, otherwise a multiple of it, otherwise the one
    /// with the highest resolution (Apple's Cocoa Drawing Guide, "Images"). The names are those of `UIImage(named:)`.
    ///
    /// A resource can also be in the folders of languages, such as `de.lproj/icon@2x.png`. As in Apple's Bundle Programming Guide, "The Bundle
    /// Search Pattern", a resource outside of them comes first, and then the languages in the order that `string(_:_:)` uses; the language
    /// matters more than the scale.
    ///
    /// ```swift
    /// let icon = try context.resources.file("icon.png", scale: 2)    // icon@2x.png, if there is one
    /// draw(icon.bytes, pixelsPerPoint: icon.scale)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name without a scale modifier.
    ///   - scale: The number of pixels per point. A scale below 1 counts as 1.
    ///   - limit: The largest size of the file, in bytes.
    /// - Throws: `AtriumError` with code `resourceUnknown` if there is no such file, and the errors of `bytes(of:limit:)`. A file that must
    ///   not be used is an error; another one is not used in its place.
    public func file(_ name: String, scale: Int, limit: Int = .max) throws(AtriumError) -> ScaledResource {
        let folders = [""] + languageTags.map { $0 + ".lproj/" }
        for folder in folders {
            for candidate in Self.scales(for: scale) {
                let file = folder + Self.name(name, scale: candidate)
                do {
                    return ScaledResource(name: file, scale: candidate, bytes: try bytes(of: file, limit: limit))
                } catch  where error.code == .resourceUnknown {
                    continue
                }
            }
        }
        throw AtriumError(.resourceUnknown, name, reason: "noScaledFile")
    }

    /// Returns the scales to try, best first.
    static func scales(for asked: Int) -> [Int] {
        let scales = 1...largestScale
        return scales.filter { $0 >= asked } + scales.reversed().filter { $0 < asked }
    }

    /// Returns the name of a resource's file for a scale.
    ///
    /// `images/icon.png` becomes `images/icon@2x.png`.
    static func name(_ name: String, scale: Int) -> String {
        if scale == 1 { return name }
        let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
        // A dot at the start hides a file and separates no extension.
        let dot = name[start...].dropFirst().lastIndex(of: ".") ?? name.endIndex
        return "\(name[..<dot])@\(scale)x\(name[dot...])"
    }
}
