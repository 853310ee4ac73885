import BusTesting

/// A picture of one colour, as PNG.
public enum PlainPicture {
    public static func write(red: UInt8, green: UInt8, blue: UInt8, to path: String) async throws {
        let program = """
            import struct, sys, zlib
            red, green, blue = map(int, sys.argv[1:4])
            def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            rows = (b"\\0" + bytes([red, green, blue]) * 64) * 32
            with open(sys.argv[4], "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 32, 8, 2, 0, 0, 0)) \
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            """
        let (output, status) = await
            (try ChildProcess(
                ["/usr/bin/python3", "-c", program, "\(red)", "\(green)", "\(blue)", path], environment: [:])).end()
        guard status == 0 else { throw TestingError("no picture: \(output)") }
    }
}
