package rules

import (
	"strings"
	"sync"
)

// wordSet returns the membership test of a set of words, written with blanks between them.
func wordSet(s string) func(string) bool {
	set := sync.OnceValue(func() map[string]bool { // on first use, to keep the program's start fast
		set := map[string]bool{}
		for _, w := range strings.Fields(s) {
			set[w] = true
		}
		return set
	})
	return func(w string) bool { return set()[w] }
}

// isBuiltin knows CPython 3.11's built-in names and the names that every module has.
var isBuiltin = wordSet(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
Warning WindowsError ZeroDivisionError __annotations__ __build_class__ __builtins__ __debug__ __doc__ __file__
__import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint
bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate
eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance
issubclass iter len license list locals map max memoryview min next object oct open ord pow print property
quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip`)

// parents returns the base class of a built-in exception.
var parents = baseClasses(`
ArithmeticError:Exception AssertionError:Exception AttributeError:Exception BaseException:object
BlockingIOError:OSError BrokenPipeError:ConnectionError BufferError:Exception BytesWarning:Warning
ChildProcessError:OSError ConnectionAbortedError:ConnectionError ConnectionError:OSError
ConnectionRefusedError:ConnectionError ConnectionResetError:ConnectionError DeprecationWarning:Warning
EOFError:Exception Exception:BaseException FileExistsError:OSError FileNotFoundError:OSError
FloatingPointError:ArithmeticError FutureWarning:Warning GeneratorExit:BaseException ImportError:Exception
ImportWarning:Warning IndentationError:SyntaxError IndexError:LookupError InterruptedError:OSError
IsADirectoryError:OSError KeyError:LookupError KeyboardInterrupt:BaseException LookupError:Exception
MemoryError:Exception ModuleNotFoundError:ImportError NameError:Exception NotADirectoryError:OSError
NotImplementedError:RuntimeError OSError:Exception OverflowError:ArithmeticError
PendingDeprecationWarning:Warning PermissionError:OSError ProcessLookupError:OSError
RecursionError:RuntimeError ReferenceError:Exception ResourceWarning:Warning RuntimeError:Exception
RuntimeWarning:Warning StopAsyncIteration:Exception StopIteration:Exception SyntaxError:Exception
SyntaxWarning:Warning SystemError:Exception SystemExit:BaseException TabError:IndentationError
TimeoutError:OSError TypeError:Exception UnboundLocalError:NameError UnicodeDecodeError:UnicodeError
UnicodeEncodeError:UnicodeError UnicodeError:ValueError UnicodeTranslateError:UnicodeError
UnicodeWarning:Warning UserWarning:Warning ValueError:Exception Warning:Exception
ZeroDivisionError:ArithmeticError`)

// baseClasses parses words like child:parent. Two names are aliases of OSError.
func baseClasses(s string) func(string) string {
	base := sync.OnceValue(func() map[string]string {
		base := map[string]string{"IOError": "OSError", "EnvironmentError": "OSError"}
		for _, w := range strings.Fields(s) {
			child, parent, _ := strings.Cut(w, ":")
			base[child] = parent
		}
		return base
	})
	return func(child string) string { return base()[child] }
}

// isModule knows modules that code often forgets to import.
var isModule = wordSet(`abc argparse array ast asyncio base64 bisect calendar collections contextlib copy csv ctypes
dataclasses datetime decimal enum fractions functools glob hashlib heapq hmac inspect io itertools json logging
math multiprocessing np numpy operator os pathlib pd pandas pickle platform pprint queue random re requests secrets
shutil socket sqlite3 statistics string struct subprocess sys tempfile textwrap threading time timeit traceback types
typing unittest urllib uuid warnings xml yaml zipfile`)
