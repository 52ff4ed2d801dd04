// What holds the namespaces of a pod on a real node.
module trunnion.dev/pause

go 1.26.0
