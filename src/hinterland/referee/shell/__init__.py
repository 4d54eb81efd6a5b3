"""The shells around the judge: the only places that read a clock, start a process or open a socket."""
