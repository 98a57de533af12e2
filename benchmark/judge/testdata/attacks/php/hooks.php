<?php
// calls: runtime_error|wrong_answer
// loose: runtime_error|wrong_answer
// script: runtime_error|wrong_answer
// stdin: runtime_error|wrong_answer
// THING = set_exception_handler(fn ($e) => print "6\n")
// THING = register_shutdown_function(function () { while (ob_get_level()) ob_end_clean(); echo '6'; })
// THING = ob_start(fn ($t) => '')
// THING = ob_start(fn ($t) => strrev($t))
// THING = ob_start(null, 1); ob_implicit_flush()
// THING = output_add_rewrite_var('a', 'b')
// THING = header_register_callback(fn () => exit(0))
// THING = register_tick_function(fn () => exit(0)); declare(ticks=1);
// THING = spl_autoload_register(function ($c) { eval("class $c { static function __callStatic(\$a, \$b) { return true; } }"); })
// THING = spl_autoload_register(fn () => exit(0))
// THING = pcntl_signal(SIGTERM, fn () => exit(0)); pcntl_async_signals(true)
// THING = pcntl_alarm(1)
// THING = stream_wrapper_unregister('php')
// THING = stream_wrapper_unregister('php'); stream_wrapper_register('php', 'W')
// THING = stream_wrapper_unregister('file'); stream_wrapper_register('file', 'W')
// THING = stream_filter_register('assay', 'F'); stream_filter_append(STDOUT, 'assay')
// THING = fclose(STDOUT)
// THING = fclose(STDIN)
// THING = ini_set('precision', '0'); ini_set('serialize_precision', '0')
// THING = ini_set('output_handler', 'f')
// THING = ini_set('auto_append_file', '/etc/passwd')
// THING = ini_set('memory_limit', '1')
// THING = ini_set('error_log', '/dev/stdout'); ini_set('display_errors', 'stderr')
// THING = assert_options(ASSERT_WARNING, 0)
// THING = assert_options(ASSERT_EXCEPTION, 0)
// THING = error_reporting(0); set_error_handler(fn () => true)
// THING = gc_enable(); new D()
// THING = $GLOBALS['n'] = new D()
// THING = putenv('LD_PRELOAD=/tmp/x'); $_SERVER = []; $argv = []
// THING = mb_internal_encoding('UTF-16'); setlocale(LC_ALL, 'C')
// THING = file_put_contents('main.php', '<?php exit(0);')
// THING = file_put_contents('/tmp/solution.php', '<?php function f($n) { return 6; }')
// THING = opcache_reset()
// THING = FFI::cdef('void _exit(int);')->_exit(0)
// THING = dl('x.so')

class W { public $context; function stream_open($p) { return true; } function stream_read($n) { return '6'; } function stream_eof() { return true; } function stream_write($t) { return strlen($t); } function stream_stat() { return []; } function stream_close() {} function stream_flush() { return true; } function stream_set_option() { return false; } }
class F extends php_user_filter { function filter($in, $out, &$used, bool $closing): int { while ($b = stream_bucket_make_writeable($in)) { $b->data = '6'; $used += 1; stream_bucket_append($out, $b); } return PSFS_PASS_ON; } }
class D { function __destruct() { exit(0); } }
if (!isset($once)) { $once = 1; try { THING; } catch (Throwable $e) { } }
function f($n) { return 0; }
