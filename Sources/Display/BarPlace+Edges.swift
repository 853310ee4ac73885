import Vocabulary

extension BarPlace {
    /// Nil: no bar.
    var edges: Panel.Edges? {
        switch self {
        case .off: nil
        case .topLeft: [.top, .left]
        case .top: .top
        case .topRight: [.top, .right]
        case .bottomLeft: [.bottom, .left]
        case .bottom: .bottom
        case .bottomRight: [.bottom, .right]
        }
    }
}
