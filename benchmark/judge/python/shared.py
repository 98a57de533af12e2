# Lists, dicts, sets and the like that tests and an object of the program both hold: what
# tests set on the object, pass to it or read from it. Each side has its own. What the tests
# change of theirs is done to the program's with the next thing that they ask for, and what
# the program changes comes back with the answer.

_MOST_SHARED = 32  # values: those that were used last


class Shared:
    def __init__(self):
        self.life, self.held = 0, {}  # by handle: the tests' own, and how the program has it

    def order(self):
        """What the program has to do to its own before it is asked for something."""
        assign = []
        for handle, pair in self.held.items():
            now = ArgumentEncoder().encode(pair[0])
            if now != pair[1]:
                pair[1] = now
                assign.append([handle, now])
        drop = list(self.held)[:-_MOST_SHARED]
        for handle in drop:
            del self.held[handle]
        return {"assign": assign, "drop": drop}

    def handle(self, value):
        for handle, pair in self.held.items():
            if pair[0] is value:
                return handle
        return 0

    def take(self, told, life, value=None, args=(), kwargs={}):
        """Takes in what the program tells of its own, and returns the tests' own in the
        place of value if they have it."""
        if life != self.life:  # a new process has none of them
            self.life, self.held = life, {}
        for handle, now in told.get("now", ()):
            if handle in self.held:
                restore(self.held[handle][0], decode(now))
                self.hold(handle, self.held[handle][0])
        for key, handle in told.get("args", ()):
            self.hold(handle, args[key] if type(key) is int else kwargs[key])
        return self.hold(told.get("value"), value)

    def hold(self, handle, value):
        if type(handle) is not int or handle <= 0 or type(value) not in MUTABLE:
            return value
        known = self.held.pop(handle, None)
        own = restore(known[0], value) if known and known[0] is not value else value
        try:
            self.held[handle] = [own, ArgumentEncoder().encode(own)]
        except (TypeError, TooLarge):  # there is something in it that cannot be sent back
            pass
        return own
