import Glibc

/// The ports of the loopback interface.
enum Loopback {
    /// Returns a port that is free now; 0 if all are in use.
    static func freePort() -> Int {
        let socket = newSocket()
        defer { close(socket) }
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isFound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        return isFound ? Int(UInt16(bigEndian: address.sin_port)) : 0
    }

    /// Keeps a port from being found free, without answering on it, until the returned socket is closed.
    static func keep(port: Int) -> Int32 {
        let socket = newSocket()
        // Connections of the server that had the port may still be ending.
        var isReused: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var address = address(port: port)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A process that was killed listens until the kernel has closed its files.
                for _ in 0..<500 {
                    if bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 { break }
                    usleep(10_000)
                }
            }
        }
        return socket
    }

    /// Makes a request for a path, and returns when the server has closed the connection, or says nothing for a minute.
    static func get(_ path: String, port: Int) {
        let socket = newSocket()
        defer { close(socket) }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) == 0 }
        }
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard isConnected, write(socket, request, request.count) == request.count else { return }
        var response = [UInt8](repeating: 0, count: 4 << 10)
        while read(socket, &response, response.count) > 0 {}
    }

    private static func newSocket() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
