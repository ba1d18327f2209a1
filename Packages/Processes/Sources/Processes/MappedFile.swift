import Glibc
import HostSystem
package import PluginCore

/// The bytes of a file, memory-mapped or copied, at a fixed address.
///
/// If a mapped file is truncated, reading it ends the process, as with the dynamic loader. Installed files are read-only, and
/// only the host writes them.
package final class MappedFile: Sendable {
    package enum Failure: SystemFailure {
        /// Nothing exists at the path.
        case missing
        /// The item is a folder, a pipe or a device.
        case noFile
        /// The file is larger than the given limit.
        case tooLarge
        /// Any other failure, with the system's description.
        case system(String)

        package init(errno number: Int32, path: String) {
            self =
                FileSystem.isAbsence(number)
                ? .missing : [ELOOP, ENXIO].contains(number) ? .noFile : .system(FileSystem.message(number))
        }
    }

    // because: nothing writes to the memory between init and deinit.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps a file, without ever blocking.
    ///
    /// - Parameters:
    ///   - isLinkFollowed: whether the path may be a link to a file.
    ///   - limit: the maximum size in bytes.
    package init(_ path: FilePath, isLinkFollowed: Bool = false, limit: Int = .max) throws(Failure) {
        let file = try Descriptor<Failure>(file: path.string, followingLinks: isLinkFollowed)
        guard case .file(let size, _) = try file.item else { throw .noFile }
        guard size <= limit else { throw .tooLarge }
        isMapped = size > 0
        let base = isMapped ? mmap(nil, Int(size), PROT_READ, MAP_PRIVATE, file.raw, 0) : nil
        guard base != MAP_FAILED else { throw .system(FileSystem.message()) }
        bytes = UnsafeRawBufferPointer(start: base, count: Int(size))
    }

    /// Copies some bytes.
    package init(copying source: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
    }

    /// Copies the first bytes of an open file.
    ///
    /// - Returns: `nil` when the file can't be read.
    package static func head(of descriptor: Int32, limit: Int) -> MappedFile? {
        let file = OpenFile(copying: descriptor, at: "")
        return (try? file.bytes(atMost: limit)).map { MappedFile(copying: $0) }
    }

    /// Returns the index of the first byte with a value in a range of the file.
    package func firstIndex(of value: UInt8, in range: Range<Int>) -> Int? {
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard let base = part.baseAddress, let found = memchr(base, Int32(value), part.count) else { return nil }
        return range.lowerBound + (UnsafeRawPointer(found) - base)
    }

    deinit {
        if isMapped, let base = bytes.baseAddress {
            munmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
        } else {
            bytes.deallocate()
        }
    }
}
