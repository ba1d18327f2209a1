import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@testable import FaultInjection

@Suite("Model of power cuts", .tags(.medium))
struct PowerCutModelTests {
    /// Returns a recording of calls of a program in an empty folder.
    private func recording(_ calls: String...) throws -> DiskRecording {
        try DiskRecording(
            of: "/w/box", before: DiskImage(),
            calls: (["mkdir(\"/w/box\", 0700) = 0", "sync() = 0"] + calls).map {
                try #require(TracedCall(Substring("1 " + $0)))
            })
    }

    /// Returns the possible disks after the last call, except the one without losses, which is that of a kill.
    ///
    /// Files are described as `a=text` and folders as `b/`.
    private func disks(_ recording: DiskRecording) -> Set<String> {
        let cut = PowerCut(recording: recording, index: recording.operations.count - 1)
        return Set(cut.losses().map { names(in: cut.image(after: $0)) })
    }

    private func names(in image: DiskImage) -> String {
        guard let box = image.child("box", of: DiskImage.root), case .folder(let names)? = image.nodes[box]?.content
        else { return "no box" }
        return names.sorted { $0.key < $1.key }.map { name, id in
            switch image.nodes[id]?.content {
            case .file(let bytes)?: "\(name)=\(String(decoding: bytes, as: UTF8.self))"
            case .folder?: "\(name)/"
            default: "\(name)?"
            }
        }.joined(separator: " ")
    }

    @Test("Unsynced content may be lost completely or by half, with or without its name")
    func written() throws {
        let disks = disks(
            try recording(
                "openat(AT_FDCWD</w>, \"box/a\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3</w/box/a>",
                "write(3</w/box/a>, \"text\", 4) = 4"))
        #expect(disks == ["", "a=", "a=te"])
    }

    @Test("Synced content is not lost, nor is a name in a synced folder")
    func waited() throws {
        let file = [
            "openat(AT_FDCWD</w>, \"box/a\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3</w/box/a>",
            "write(3</w/box/a>, \"text\", 4) = 4", "fsync(3</w/box/a>) = 0",
        ]
        #expect(try disks(recording(file[0], file[1], file[2])) == ["", "a=text"])
        #expect(try disks(recording(file[0], file[1], file[2], "fsync(4</w/box>) = 0")) == ["a=text"])
        #expect(try disks(recording(file[0], file[1], "syncfs(4</w/box>) = 0")) == ["a=text"])
        #expect(try disks(recording(file[0], file[1], "fsync(4</w/box>) = 0")) == ["a=", "a=text"])
    }

    @Test(
        "After replacing a file, either the old or the new one exists, with all synced content")
    func replaced() throws {
        let (old, new) = (
            ["creat(\"/w/box/a\", 0600) = 3</w/box/a>", "write(3</w/box/a>, \"old\", 3) = 3", "sync() = 0"],
            ["creat(\"/w/box/b\", 0600) = 4</w/box/b>", "write(4</w/box/b>, \"new\", 3) = 3"]
        )
        let move = "rename(\"/w/box/b\", \"/w/box/a\") = 0"
        let careful = try recording(old[0], old[1], old[2], new[0], new[1], "fsync(4</w/box/b>) = 0", move)
        #expect(disks(careful) == ["a=old", "a=new"])
        let careless = try recording(old[0], old[1], old[2], new[0], new[1], move)
        #expect(disks(careless) == ["a=old", "a="])
    }

    @Test("A file is recognized by its descriptor, however it was opened")
    func opened() throws {
        let made = "openat(AT_FDCWD</w>, \"box/a\", O_RDWR|O_CREAT, 0600) = 3</w/box/a>"
        let read = "openat2(5</w/box>, \"a\", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_BENEATH}, 24) = 4</w/box/a>"
        #expect(try recording(made, read).operations.count == 3)
        let new = "openat2(5</w/box>, \"b\", {flags=O_WRONLY|O_CREAT, mode=0640, resolve=0}, 24) = 4</w/box/b>"
        let link = "linkat(AT_FDCWD</w>, \"/proc/self/fd/4\", 5</w/box>, \"c\", AT_SYMLINK_FOLLOW) = 0"
        let recording = try recording(new, "write(4</w/box/b>, \"x\", 1) = 1", link, "sync() = 0")
        #expect(disks(recording) == ["b=x c=x"])
        #expect(recording.fresh.values.contains { $0.mode == 0o640 })
    }

    @Test("An unknown call is an error")
    func unknown() throws {
        #expect(throws: FixtureError.self) {
            _ = try recording("symlink(\"/w/box/a\", \"/w/box/b\") = 0")
        }
    }
}
