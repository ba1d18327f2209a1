import CTerminalImages
import Glibc

/// The functions of libpng that decode a file. The library is opened with the first image, and stays open.
struct PNGLibrary {
    typealias Image = UnsafeMutablePointer<png_image>
    typealias Begin = @Sendable @convention(c) (Image, UnsafeRawPointer?, Int) -> Int32
    typealias Finish =
        @Sendable @convention(c) (
            Image, UnsafePointer<png_color>?, UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?
        )
        -> Int32

    let begin: Begin
    let finish: Finish
    let release: @Sendable @convention(c) (Image) -> Void

    /// The library; `nil` if it cannot be opened.
    static let shared = PNGLibrary()

    private init?() {
        guard let library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL),
            let begin = dlsym(library, "png_image_begin_read_from_memory"),
            let finish = dlsym(library, "png_image_finish_read"), let release = dlsym(library, "png_image_free")
        else { return nil }
        self.begin = unsafeBitCast(begin, to: Begin.self)
        self.finish = unsafeBitCast(finish, to: Finish.self)
        self.release = unsafeBitCast(release, to: (@Sendable @convention(c) (Image) -> Void).self)
    }
}
