#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import FoundationEssentials
import PluginCore
import Testing

/// Compiles a C library with Swift's own compiler and the note of this Core, as a plugin is built.
///
/// - Parameters:
///   - source: the C source, to which `plugin_entry.h` is prepended.
///   - options: additional options of the compiler.
func library(ofC source: String, _ options: String...) throws -> [UInt8] {
    try library(ofC: source, options: options)
}

func library(ofC source: String, options: [String]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bundletool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, library) = (folder.appending(path: "sample.c"), folder.appending(path: "libSample.so"))
    try Data("#include <stddef.h>\n#include \"plugin_entry.h\"\n\(source)".utf8).write(to: file)
    let packages = FilePath(#filePath).parent.parent.parent.parent.parent
    let headers = packages.appending("Core/Sources/CPluginEntry/include").string
    let command = ["clang", "-shared", "-fPIC", "-I", headers, file.path] + options + ["-o", library.path]
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    try #require(posix_spawnp(&child, command[0], nil, nil, &words, environ) == 0)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    try #require(status == 0, "\(command.joined(separator: " "))")
    return Array(try Data(contentsOf: library))
}
