import Glibc
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
    let headers = packages.appending("Core/Sources/CPluginEntry/include").string
    return try compiled("#include <stddef.h>\n#include \"plugin_entry.h\"\n\(source)", as: "sample.c") {
        ["clang", "-shared", "-fPIC", "-I", headers, $0] + options + ["-o", $1]
    }
}

/// Compiles a C library of a plugin for another Linux machine, without anything of its system.
func library(forMachine machine: String, ofC source: String = PluginFixture.entry) throws -> [UInt8] {
    try library(ofC: source, "-target", "\(machine)-unknown-linux-gnu", "-ffreestanding", "-nostdlib", "-fuse-ld=lld")
}

/// Compiles a Swift library with the Core of the tests, as a plugin is built.
func library(ofSwift source: String, _ options: String...) throws -> [UInt8] {
    let products = FilePath(try #require(CommandLine.arguments.first)).parent
    return try compiled(source, as: "sample.swift") {
        [
            // An `async` closure can cross a library boundary only if both sides isolate it alike.
            "swiftc", "-gnone", "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
            "-no-toolchain-stdlib-rpath", "-emit-library", "-module-name", "Sample", "-module-cache-path",
            products.appending("ModuleCache").string, "-I", products.appending("Modules").string, "-Xcc",
            "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", "-L", products.string,
            "-lPluginCore", $0,
        ] + (source.contains("import PluginExtension") ? ["-lPluginExtension"] : []) + options + ["-o", $1]
    }
}

private let packages = FilePath(#filePath).parent.parent.parent.parent.parent

private func compiled(
    _ source: String, as name: String, _ command: (_ file: String, _ library: String) -> [String]
) throws -> [UInt8] {
    let folder = try TestFolder()
    try folder.write(source, to: name)
    let command = command(folder.place(name), folder.place("libSample.so"))
    let result = try runProgram("env", command)
    try #require(result.status == 0, "\(command.joined(separator: " "))\n\(result.output)")
    return try folder.bytes("libSample.so")
}

/// Returns whether a process group still has a process other than a zombie, after giving the killed ones a moment to end.
func isRunning(group: Int32) -> Bool {
    for _ in 0..<100 {
        if kill(-group, 0) != 0, errno == ESRCH { return false }
        usleep(50_000)
    }
    return true
}
