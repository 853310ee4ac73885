/// Metrics as text: Prometheus' text format, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    mutating func add(_ metric: Metric, _ value: String) {
        begin(metric)
        line(metric.name, nil, value)
    }

    /// - Parameter samples: A value of the label, and what is measured for it.
    mutating func add(_ metric: Metric, by label: String, _ samples: [(label: String, value: String)]) {
        begin(metric)
        for sample in samples { line(metric.name, (label, sample.label), sample.value) }
    }

    mutating func add(_ metric: Metric, _ histogram: Histogram) {
        begin(metric)
        for bucket in histogram.buckets {
            line(metric.name + "_bucket", ("le", bucket.bound.map(Self.seconds) ?? "+Inf"), "\(bucket.count)")
        }
        line(metric.name + "_sum", nil, Self.seconds(histogram.sum))
        line(metric.name + "_count", nil, "\(histogram.count)")
    }

    private mutating func begin(_ metric: Metric) {
        text += "# HELP \(metric.name) \(Self.escaped(metric.help, quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ label: (name: String, value: String)?, _ value: String) {
        text += name
        if let label { text += "{\(label.name)=\"\(Self.escaped(label.value, quotes: true))\"}" }
        text += " \(value)\n"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// Microseconds as seconds, without a loss that a floating-point number would have.
    static func seconds(_ microseconds: UInt64) -> String {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return "\(whole)" }
        let digits = String("\(rest + 1_000_000)".dropFirst())
        return "\(whole)." + digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex)
    }

    /// Unix time in microseconds as seconds.
    static func time(_ microseconds: Int64) -> String {
        (microseconds < 0 ? "-" : "") + seconds(microseconds.magnitude)
    }

    static func flag(_ isSo: Bool) -> String { isSo ? "1" : "0" }
}
