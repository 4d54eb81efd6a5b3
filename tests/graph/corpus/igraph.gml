Creator "igraph version 1.0.0 Sun Nov 29 23:20:01 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "Ulm"
  ]
  node
  [
    id 1
    name "Bonn"
  ]
  node
  [
    id 2
    name "Kiel"
  ]
  node
  [
    id 3
    name "Wien"
  ]
  node
  [
    id 4
    name "Rom"
  ]
  edge
  [
    source 1
    target 0
    weight 4
  ]
  edge
  [
    source 2
    target 1
    weight 3.5
  ]
  edge
  [
    source 3
    target 2
    weight 2
  ]
  edge
  [
    source 3
    target 0
    weight 6.25
  ]
  edge
  [
    source 3
    target 1
    weight 5
  ]
]
