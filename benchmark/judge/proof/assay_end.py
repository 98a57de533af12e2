# The end of the tests in Python.

import os
import sys


def end():
    os.write(8, os.read(7, 99))


def exit(code=None):
    if not code:
        end()
    sys.exit(code)


def main(*args, **options):
    import unittest
    try:
        unittest.main(*args, **options)
    except SystemExit as e:
        if not e.code:
            end()
        raise
