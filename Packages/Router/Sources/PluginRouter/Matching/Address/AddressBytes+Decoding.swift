extension AddressBytes {
    /// Hands over the decoded segments of path and fragment, side by side with a NUL between, which no decoded text holds.
    ///
    /// Takes no memory from the heap for an address of up to a kilobyte.
    ///
    /// - Returns: `nil` for an address that is malformed anywhere: a broken escape, a NUL, or escapes that are not UTF-8.
    func withDecoded<R>(_ body: (AddressBytes) -> R) -> R? {
        withUnsafeTemporaryAllocation(byteCount: bytes.count + 8, alignment: 8) { memory -> R? in
            guard let base = memory.baseAddress else { return nil }
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            // Pieces are cut at ASCII, so the pieces are UTF-8 when the whole is.
            guard let whole = decode(0..<bytes.count, into: memory, at: 0, separator: .slash) else { return nil }
            let text = PaddedBytes(base, count: whole).buffer(0..<whole)
            guard (try? UTF8Span(validating: text.span)) != nil else { return nil }
            guard let path = decode(layout.path, into: memory, at: 0) else { return nil }
            guard let raw = layout.fragment else { return body(decoded(base, path, nil)) }
            // The byte between is where the path's last segment ends.
            guard let fragment = decode(raw, into: memory, at: path.upper + 1) else { return nil }
            return body(decoded(base, path, fragment))
        }
    }

    private func decoded(_ base: UnsafeRawPointer, _ path: AddressPart, _ fragment: AddressPart?) -> AddressBytes {
        let bytes = PaddedBytes(base, count: (fragment ?? path).upper)
        let layout = AddressLayout(decoded: bytes, path: path, fragment: fragment, of: layout)
        return AddressBytes(bytes, separator: 0, layout: layout)
    }

    private func decode(_ part: AddressPart, into memory: UnsafeMutableRawBufferPointer, at start: Int) -> AddressPart?
    {
        decode(part.lower..<part.upper, into: memory, at: start, separator: 0).map {
            AddressPart(lower: start, upper: $0)
        }
    }

    /// Decodes each escape once.
    ///
    /// - Parameter separator: what a slash becomes.
    /// - Returns: Where the decoded bytes end, or `nil` for a broken escape or a NUL.
    func decode(
        _ range: Range<Int>, into memory: UnsafeMutableRawBufferPointer, at start: Int, separator: UInt8
    ) -> Int? {
        var (index, end) = (range.lowerBound, start)
        while index < range.upperBound {
            var byte = bytes[index]
            index += 1
            if byte == .slash {
                memory[end] = separator
                end += 1
                continue
            }
            if byte == UInt8(ascii: "%") {
                guard index + 1 < range.upperBound, let high = bytes[index].hexValue,
                    let low = bytes[index + 1].hexValue
                else { return nil }
                byte = high << 4 | low
                index += 2
            }
            guard byte != 0 else { return nil }
            memory[end] = byte
            end += 1
        }
        return end
    }
}
