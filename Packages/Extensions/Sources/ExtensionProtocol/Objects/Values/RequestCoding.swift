package import PluginCore

extension ValueWriter {
    /// Writes a request of a route.
    package mutating func write(_ request: ResourceRequest) throws {
        plain.write(all: request.uri.text, request.uri.parameters, request.name, request.captures, request.rest)
        try write(request.userInfo)
        plain.write(request.origin)
    }

    /// Writes the result of a request.
    package mutating func write(_ resource: Resource) throws {
        switch resource {
        case .page(let page):
            plain.write(true)
            write(page)
        case .object(let object):
            plain.write(false)
            try write(any: object, named: "result")
        }
    }

    mutating func write(_ outcome: RouteOutcome) throws {
        switch outcome {
        case .shown: plain.write(UInt8(0))
        case .dismissed(nil): plain.write(UInt8(1))
        case .dismissed(let value?):
            plain.write(UInt8(2))
            try write(any: value, named: "value")
        case .handled(let value):
            plain.write(UInt8(3))
            try write(any: value, named: "result")
        }
    }

    mutating func write(_ interception: Interception) throws {
        switch interception {
        case .allow: plain.write(UInt8(0))
        case .deny(let reason): plain.write(all: UInt8(1), reason)
        case .redirect(let uri): plain.write(all: UInt8(2), uri.text)
        case .suspend(let reason, let until):
            plain.write(all: UInt8(3), reason)
            try write(any: until, named: "until")
        @unknown default:
            throw AtriumError(.parameterType, "interception", reason: "notTransferable", ["type": "\(interception)"])
        }
    }
}

extension ValueReader {
    /// Reads a request of a route.
    package mutating func readRequest() throws -> ResourceRequest {
        let (uri, parameters, name): (ResourceURI, URIParameters, String) = try plain.values()
        return ResourceRequest(
            uri: uri.parameters == parameters ? uri : uri.adding(parameters), name: name,
            captures: try URIParameters(from: &plain), rest: try plain.readTexts(), userInfo: try readParameters(),
            origin: try plain.readOrigin())
    }

    /// Reads the result of a request.
    package mutating func readResource() throws -> Resource {
        try plain.readBool() ? .page(try readPage()) : .object(try readAny())
    }

    mutating func readOutcome() throws -> RouteOutcome {
        switch try plain.read(UInt8.self) {
        case 0: .shown
        case 1: .dismissed(nil)
        case 2: .dismissed(try readAny())
        case 3: .handled(try readAny())
        default: throw WireReader.Malformed()
        }
    }

    mutating func readInterception() throws -> Interception {
        switch try plain.read(UInt8.self) {
        case 0: return .allow
        case 1: return .deny(try plain.readText())
        case 2: return .redirect(try plain.readAddress())
        case 3:
            let reason = try plain.readText()
            guard let until = try readAny() as? @Sendable () async throws -> Bool else { throw WireReader.Malformed() }
            return .suspend(reason: reason, until: until)
        default: throw WireReader.Malformed()
        }
    }
}

extension URIParameters: WireValue {
    package init(from reader: inout WireReader) throws {
        self.init(try reader.readList { Item(name: try $0.readText(), value: try $0.readText()) })
    }

    package func write(to writer: inout WireWriter) {
        writer.write(items) { $0.write(all: $1.name, $1.value) }
    }
}

extension AddressParts: WireValue {
    package init(from reader: inout WireReader) throws {
        let (captures, rest, query): ([String: String], [String], URIParameters) = try reader.values()
        self.init(captures: captures, rest: rest, query: query)
    }

    package func write(to writer: inout WireWriter) { writer.write(all: captures, rest, query) }
}

extension WireWriter {
    fileprivate mutating func write(_ origin: RequestOrigin) {
        switch origin {
        case .host: write(all: UInt8(0), "")
        case .plugin(let identifier): write(all: UInt8(1), identifier)
        case .extension(let identifier): write(all: UInt8(2), identifier)
        case .external: write(all: UInt8(3), "")
        }
    }
}

extension WireReader {
    fileprivate mutating func readOrigin() throws -> RequestOrigin {
        let (number, identifier): (UInt8, String) = try values()
        switch number {
        case 0: return .host
        case 1: return .plugin(identifier)
        case 2: return .extension(identifier)
        case 3: return .external
        default: throw Malformed()
        }
    }
}
