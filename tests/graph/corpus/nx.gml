graph [
  node [
    id 0
    label "Ulm"
  ]
  node [
    id 1
    label "Bonn"
  ]
  node [
    id 2
    label "Kiel"
  ]
  node [
    id 3
    label "Wien"
  ]
  node [
    id 4
    label "Rom"
  ]
  edge [
    source 0
    target 1
    weight 4.0
  ]
  edge [
    source 0
    target 3
    weight 6.25
  ]
  edge [
    source 1
    target 2
    weight 3.5
  ]
  edge [
    source 1
    target 3
    weight 5.0
  ]
  edge [
    source 2
    target 3
    weight 2.0
  ]
]
