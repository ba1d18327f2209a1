extension BundleResources {
    /// Returns an image of the bundle for a page.
    ///
    /// The file is chosen by name, scale and language as by ``file(_:scale:)``, so `de.lproj/logo@2x.png` is an image for German users. An image
    /// that is missing, damaged, or larger than ``PageImage/largestFile`` is shown as its text, and reported to the host. An image is read once.
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
        let file = images.file(name, scale: scale) {
            do throws(AtriumError) {
                return try self.file(name, scale: scale, limit: PageImage.largestFile)
            } catch {
                report(error, ofImage: name)
                return nil
            }
        }
        return PageImage(png: file?.bytes ?? [], text: text, scale: file?.scale ?? 1)
    }
}
