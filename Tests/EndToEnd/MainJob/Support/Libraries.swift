import PluginCore
import PluginTestKit

extension RunningProcess {
    /// Returns the files that are mapped into the process and those of its plugins; see maps in the manual page of proc.
    func mappedFiles() async throws -> Set<FilePath> {
        let maps = try await Executable("/bin/sh").run(
            "-c", "for process in \(identifier) $(pgrep --parent \(identifier)); do cat /proc/$process/maps; done")
        return Set(maps.lines.compactMap { line in line.firstIndex(of: "/").map { FilePath(String(line[$0...])) } })
    }

    /// Returns the mapped libraries with a name.
    func mappedFiles(named name: String) async throws -> Set<FilePath> {
        try await mappedFiles().filter { $0.lastComponent == name }
    }

    /// Returns the open files by name, in the same form as those of opened plugins; see fd in the manual page of proc.
    func openFiles() async throws -> [String: FilePath] {
        let links = try await Executable("/usr/bin/env").run(
            "find", "/proc/\(identifier)/fd", "-type", "l", "-printf", "%f %l\n")
        let pairs = links.lines.compactMap { line in
            line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        return Dictionary(
            pairs.map { ("/proc/\(identifier)/fd/" + $0.0, FilePath($0.1)) }, uniquingKeysWith: { $1 })
    }
}

extension ProcessResult {
    /// The libraries that a program run with `LD_DEBUG=files` has loaded with dlopen, by name, in order.
    var openedLibraries: [String] {
        loaderLines.filter { $0.contains("dynamically loaded by") }.compactMap(\.loadedFile).map(\.string)
    }

    /// The names of the loaded plugins.
    ///
    /// A plugin is loaded by the descriptor on which it was verified, so that the loader gets the same file. The name contains the
    /// process identifier, so that a debugger can open it too.
    var openedPlugins: [String] {
        openedLibraries.filter { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 5 && parts[1] == "proc" && Int(parts[2]) != nil && parts[3] == "fd"
        }
    }

    /// The names of the libraries that the program links.
    var linkedLibraries: [String] {
        loaderLines.filter { $0.contains("needed by") }.compactMap(\.loadedFile?.lastComponent)
    }

    /// The output lines of the dynamic loader; see `LD_DEBUG` in the manual page of ld.so.
    private var loaderLines: [Substring] { stderr.split(separator: "\n") }
}

extension Substring {
    /// The path in a line of the loader.
    ///
    /// From `1234:     file=/a/b/libX.so [0];  dynamically loaded by ...`, this is `/a/b/libX.so`.
    fileprivate var loadedFile: FilePath? {
        guard let start = firstRange(of: "file=")?.upperBound else { return nil }
        return FilePath(String(self[start...].prefix { $0 != " " }))
    }
}
