<?php
// The sample's side for PHP: what python/sample.py is for Python. It shares a process with untrusted code, so
// nothing that it says is believed beyond "this call returned that value".

final class AssayTooLarge extends Exception {}

final class AssaySample
{
    private const MAX_DEPTH = 150;
    private const MAX_NODES = 2000000;
    private const FLAGS = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION | JSON_THROW_ON_ERROR;

    private const BESIDE_DEEP = 10000; // further parts of a value that is too deep, and so equals nothing

    private static $orders, $answers, $left = 0, $deep = false;

    private static function exactly(int $size): string
    {
        $data = '';
        while (strlen($data) < $size) {
            $part = fread(self::$orders, $size - strlen($data));
            if ($part === false || $part === '') exit(0);
            $data .= $part;
        }
        return $data;
    }

    private static function receive(): array
    {
        $size = unpack('N', self::exactly(4))[1];
        return json_decode(self::exactly($size), true, 10000, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    private static function send(array $message): void
    {
        $text = json_encode($message, self::FLAGS, 10000);
        $data = pack('N', strlen($text)) . $text;
        for ($at = 0; $at < strlen($data);) $at += fwrite(self::$answers, substr($data, $at));
        fflush(self::$answers);
    }

    private static function opaque($value): array
    {
        $type = is_object($value) ? get_class($value) : gettype($value);
        return ['$opaque' => ['type' => $type, 'text' => $type]];
    }

    private static function encode($value, int $depth = 0)
    {
        if (--self::$left < 0) throw new AssayTooLarge();
        if (is_float($value) && !is_finite($value)) return ['$float' => is_nan($value) ? 'nan' : ($value > 0 ? 'inf' : '-inf')];
        if ($value === null || is_bool($value) || is_int($value) || is_float($value)) return $value;
        if (is_string($value)) return preg_match('//u', $value) ? $value : ['$bytes' => base64_encode($value)];
        $plain = is_array($value) || is_object($value) && get_class($value) === 'stdClass';
        if ($depth > self::MAX_DEPTH) [self::$deep, self::$left] = [true, min(self::$left, self::BESIDE_DEEP)];
        if (!$plain || $depth > self::MAX_DEPTH) return self::opaque($value);
        if (is_array($value) && array_is_list($value)) {
            $list = [];
            foreach ($value as $v) $list[] = self::encode($v, $depth + 1);
            return $list;
        }
        $value = (array) $value;
        $named = count($value) !== 1 || ($value && (string) key($value) !== '' && ((string) key($value))[0] !== '$');
        foreach ($value as $k => $v) $named = $named && is_string($k);
        if ($named) {
            $all = new stdClass();
            foreach ($value as $k => $v) $all->{$k} = self::encode($v, $depth + 1);
            return $all;
        }
        $pairs = [];
        foreach ($value as $k => $v) $pairs[] = [self::encode($k, $depth + 1), self::encode($v, $depth + 1)];
        return ['$dict' => $pairs];
    }

    private static function decode($value)
    {
        if (!is_array($value)) return $value;
        $key = count($value) === 1 ? (string) key($value) : '';
        if ($key === '' || $key[0] !== '$') return array_map(fn ($v) => self::decode($v), $value);
        $body = $value[$key];
        switch ($key) {
            case '$tuple':
            case '$set':
            case '$frozenset': return array_map(fn ($v) => self::decode($v), $body);
            case '$bytes': return base64_decode($body);
            case '$float': return ['nan' => NAN, 'inf' => INF, '-inf' => -INF][$body];
            case '$int': return intval($body, 16);
            case '$dict':
                $all = [];
                foreach ($body as [$k, $v]) $all[self::decode($k)] = self::decode($v);
                return $all;
        }
        return array_map(fn ($v) => self::decode($v), $value);
    }

    // failure describes what was thrown: its class and the classes above, and where in the program.
    private static function failure(string $kind, Throwable $e, string $program): array
    {
        $names = array_values(array_merge([get_class($e)], class_parents($e), class_implements($e)));
        $line = 0;
        foreach (array_merge([['file' => $e->getFile(), 'line' => $e->getLine()]], $e->getTrace()) as $at) {
            if ($line === 0 && basename($at['file'] ?? '') === 'solution.php') $line = $at['line'];
        }
        $source = $line > 0 ? substr(trim(explode("\n", $program)[$line - 1] ?? ''), 0, 120) : '';
        $text = substr($e->getMessage(), 0, 2000);
        while (!preg_match('//u', $text)) $text = substr($text, 0, -1); // it is cut within a character, or no text
        return ['k' => $kind, 'type' => get_class($e), 'names' => $names, 'text' => $text,
            'line' => $line, 'source' => preg_match('//u', $source) ? $source : ''];
    }

    private static function load(string $program, string $entry): array
    {
        if (!str_contains($program, '<?')) $program = '<?php ' . $program;
        file_put_contents('/tmp/solution.php', $program);
        try {
            (static function () {
                require '/tmp/solution.php';
                foreach (get_defined_vars() as $name => $value) $GLOBALS[$name] = $value;
            })();
        } catch (ParseError $e) {
            return self::failure('syntax', $e, $program);
        } catch (Throwable $e) {
            return self::failure('load', $e, $program);
        }
        if (self::found($entry) !== null) return ['k' => 'loaded'];
        return ['k' => 'load', 'type' => 'Error', 'names' => [], 'text' => 'the answer defines no function ' . $entry];
    }

    private static function found(string $entry)
    {
        if (function_exists($entry)) return $entry;
        return ($GLOBALS[$entry] ?? null) instanceof Closure ? $GLOBALS[$entry] : null;
    }

    private static function call(array $order, string $entry, string $program): array
    {
        $held = 0;
        try {
            $value = (self::found($entry))(...array_map(fn ($v) => self::decode($v), $order['args']));
            [self::$left, self::$deep, $held] = [self::MAX_NODES, false, memory_get_usage()];
            return ['k' => 'value', 'v' => self::encode($value)];
        } catch (AssayTooLarge $e) {
            // Each part takes 16 bytes. Where fewer are used, it is large only because it has a part many times, and equals nothing.
            return self::$deep || $held < 16 * self::MAX_NODES ? ['k' => 'value', 'v' => self::opaque($value)] : ['k' => 'large'];
        } catch (Throwable $e) {
            return self::failure('raise', $e, $program);
        }
    }

    public static function run(): void
    {
        [self::$orders, self::$answers] = [fopen('php://fd/3', 'r'), fopen('php://fd/4', 'w')];
        self::send(['k' => 'ready']);
        ['program' => $program, 'entry' => $entry] = self::receive();
        self::send(self::load($program, $entry));
        for (;;) {
            $order = self::receive();
            self::send(self::call($order, $entry, $program) + ['id' => $order['id']]);
        }
    }
}

AssaySample::run();
