/// A call of a function of an object in the other process.
package struct Call: RequestMessage {
    package static let method = MessageNumber.call

    /// The number that the other process has given to the object. 0 is the object with which a connection begins.
    package let object: UInt32
    /// The number of the function.
    package let function: UInt8
    /// The number of the other process's request in whose handling the call is made, or 0.
    package let context: UInt32
    /// The arguments, whose form depends on the function.
    package let arguments: [UInt8]

    package init(object: UInt32, function: UInt8, context: UInt32, arguments: [UInt8]) {
        self.object = object
        self.function = function
        self.context = context
        self.arguments = arguments
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        function = try reader.read()
        context = try reader.read()
        arguments = try reader.readBytes()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(function)
        writer.write(context)
        writer.write(arguments)
    }

    /// The result of a call.
    package struct Reply: WireValue {
        /// The values, whose form depends on the function.
        package let values: [UInt8]

        package init(values: [UInt8]) {
            self.values = values
        }

        package init(from reader: inout WireReader) throws(WireReader.Malformed) {
            values = try reader.readBytes()
        }

        package func write(to writer: inout WireWriter) { writer.write(values) }
    }
}

/// A call without a result. The receiver performs those with one context one after the other.
package struct Notify: EventMessage {
    package static let method = MessageNumber.notify

    /// The number of the object.
    package let object: UInt32
    /// The number of the function.
    package let function: UInt8
    /// The number of the other process's request in whose handling the call is made, or 0.
    package let context: UInt32
    /// The arguments, whose form depends on the function.
    package let arguments: [UInt8]

    package init(object: UInt32, function: UInt8, context: UInt32, arguments: [UInt8]) {
        self.object = object
        self.function = function
        self.context = context
        self.arguments = arguments
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        function = try reader.read()
        context = try reader.read()
        arguments = try reader.readBytes()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(function)
        writer.write(context)
        writer.write(arguments)
    }
}

/// The end of the sender's use of an object.
package struct Release: EventMessage {
    package static let method = MessageNumber.release

    /// The number of the object.
    package let object: UInt32
    /// The number of times that the sender has received the object since the last release.
    package let count: UInt32

    package init(object: UInt32, count: UInt32) {
        self.object = object
        self.count = count
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        object = try reader.read()
        count = try reader.read()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(object)
        writer.write(count)
    }
}

/// The content of a page that has changed.
package struct PageChanged: EventMessage {
    package static let method = MessageNumber.pageChanged

    /// The number of the page.
    package let page: UInt32
    /// The content of the page.
    package let content: [UInt8]

    package init(page: UInt32, content: [UInt8]) {
        self.page = page
        self.content = content
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        page = try reader.read()
        content = try reader.readBytes()
    }

    package func write(to writer: inout WireWriter) {
        writer.write(page)
        writer.write(content)
    }
}
