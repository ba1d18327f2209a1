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
}

extension ProcessResult {
    /// The names of the loaded plugins.
    ///
    /// A plugin is loaded by the descriptor on which it was verified, so that the loader gets the same file. The name contains the
    /// process identifier, so that a debugger can open it too.
    var openedPlugins: [String] {
        loaderLines.filter { $0.contains("dynamically loaded by") }.compactMap(\.loadedFile?.string).filter { name in
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
