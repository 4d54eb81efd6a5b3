"""A clock for tests of what players do when their time is over."""


class Ticking:
    """A clock that advances by a fixed step whenever it is read."""

    def __init__(self, step_s):
        self.step_s = step_s
        self.time_s = 0.0

    def now_s(self):
        self.time_s += self.step_s
        return self.time_s
