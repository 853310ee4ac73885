/// How many files and folders a filter took, and in which folders.
package struct VisitedPaths: Sendable, Equatable {
    package private(set) var count = 0
    package private(set) var places: [String: Int] = [:]

    package init() {}

    package mutating func add(_ place: String) {
        count += 1
        // A root has few folders; one with a million must not fill the memory.
        if places[place] != nil || places.count < 64 { places[place, default: 0] += 1 }
    }

    package mutating func add(_ other: VisitedPaths) {
        count += other.count
        for (place, count) in other.places where places[place] != nil || places.count < 64 {
            places[place, default: 0] += count
        }
    }
}
