package rules

import (
	"slices"
	"strings"

	"assay/scoring/quality"
	"assay/scoring/syntax"
)

func cryptoRules() []rule {
	return []rule{
		{Rule{ID: "weak-hash", Dimension: quality.Security, Severity: quality.Critical,
			Title: "A broken hash function is used.", Known: []string{"S4790", "B303", "B324"},
			Bad:  "import hashlib\n\n\ndef f(data):\n    return hashlib.md5(data).hexdigest()\n",
			Good: "import hashlib\n\n\ndef f(data):\n    return hashlib.sha256(data).hexdigest()\n"}, weakHash},
		{Rule{ID: "weak-cipher", Dimension: quality.Security, Severity: quality.Critical,
			Title: "A broken cipher or mode is used.", Known: []string{"S5547", "S5542", "B304", "B305"},
			Bad:  "from Crypto.Cipher import DES\n\n\ndef f(key):\n    return DES.new(key, DES.MODE_CBC)\n",
			Good: "from Crypto.Cipher import AES\n\n\ndef f(key):\n    return AES.new(key, AES.MODE_GCM)\n"}, weakCipher},
		{Rule{ID: "weak-random", Dimension: quality.Security, Severity: quality.Major,
			Title: "A secret is made by a generator whose numbers can be foretold.", Known: []string{"S2245", "B311"},
			Bad:  "import random\n\n\ndef token():\n    return random.randint(0, 10 ** 6)\n",
			Good: "import secrets\n\n\ndef token():\n    return secrets.randbelow(10 ** 6)\n"}, weakRandom},
		{Rule{ID: "hard-coded-secret", Dimension: quality.Security, Severity: quality.Major,
			Title: "A password, key or token stands in the code.", Known: []string{"S2068", "S6418", "B105", "B106", "B107"},
			Bad:  "password = \"hunter2Secret\"\nprint(password)\n",
			Good: "import os\n\npassword = os.environ[\"PASSWORD\"]\nprint(password)\n"}, hardCoded},
		{Rule{ID: "tls-unverified", Dimension: quality.Security, Severity: quality.Critical,
			Title: "A server's certificate is not checked.", Known: []string{"S4830", "S5527", "B501", "B323"},
			Bad:  "import requests\n\n\ndef f(url):\n    return requests.get(url, verify=False, timeout=9)\n",
			Good: "import requests\n\n\ndef f(url):\n    return requests.get(url, timeout=9)\n"}, unverified},
		{Rule{ID: "weak-tls", Dimension: quality.Security, Severity: quality.Critical,
			Title: "A broken version of TLS is allowed.", Known: []string{"S4423", "B502", "B503", "B504"},
			Bad:  "import ssl\n\n\ndef f():\n    return ssl.SSLContext(ssl.PROTOCOL_TLSv1)\n",
			Good: "import ssl\n\n\ndef f():\n    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)\n"}, weakTLS},
		{Rule{ID: "host-key-unverified", Dimension: quality.Security, Severity: quality.Critical,
			Title: "An SSH server's key is accepted whatever it is.", Known: []string{"S4830", "B507"},
			Bad:  "import paramiko\n\n\ndef f(client):\n    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n",
			Good: "import paramiko\n\n\ndef f(client):\n    client.set_missing_host_key_policy(paramiko.RejectPolicy())\n"}, hostKey},
		{Rule{ID: "jwt-unverified", Dimension: quality.Security, Severity: quality.Critical,
			Title: "A token's signature is not checked.", Known: []string{"S5659"},
			Bad:  "import jwt\n\n\ndef f(token, key):\n    return jwt.decode(token, key, options={\"verify_signature\": False})\n",
			Good: "import jwt\n\n\ndef f(token, key):\n    return jwt.decode(token, key, algorithms=[\"HS256\"])\n"}, jwtUnverified},
	}
}

func weakHash(f *file, say sayer) {
	careless := func(call *syntax.Node) bool {
		a := f.argument(call, -1, "usedforsecurity")
		return a == nil || a.Kind != "false"
	}
	f.calling(func(call *syntax.Node, p string) {
		if careless(call) {
			say(call, "%s is broken", p)
		}
	}, "hashlib.md5", "hashlib.sha1", "hashlib.md4", "md5.new", "sha.new", "Crypto.Hash.MD5.new", "Crypto.Hash.SHA1.new", "Crypto.Hash.MD4.new",
		"cryptography.hazmat.primitives.hashes.MD5", "cryptography.hazmat.primitives.hashes.SHA1")
	f.calling(func(call *syntax.Node, _ string) {
		s, _ := f.literal(f.argument(call, 0, "name"))
		if s = strings.ToLower(s); (s == "md5" || s == "sha1" || s == "md4" || s == "sha") && careless(call) {
			say(call, "%s is broken", s)
		}
	}, "hashlib.new")
}

func weakCipher(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		p := f.target(call)
		for _, c := range []string{"DES", "DES3", "ARC2", "ARC4", "Blowfish", "XOR"} {
			if p == "Crypto.Cipher."+c+".new" || p == "Cryptodome.Cipher."+c+".new" {
				say(call, "%s is broken", c)
			}
		}
		if strings.HasPrefix(p, "cryptography.hazmat.primitives.ciphers.") && hasSuffix(p, ".ARC4", ".Blowfish", ".TripleDES", ".IDEA", ".ECB") {
			say(call, "%s is broken", p[strings.LastIndex(p, ".")+1:])
		}
	}
	for _, a := range f.kinds["attribute"] {
		if f.text(a.Child("attribute")) == "MODE_ECB" {
			say(a, "ECB shows which blocks are alike")
		}
	}
}

var (
	isSecret  = wordSet("password passwd pwd secret token apikey otp pin salt nonce passphrase credential credentials csrf")
	isKeyword = wordSet("api secret private access auth encryption")
)

// secretive reports whether a name suggests a secret: password, api_key, secretToken.
func secretive(name string) bool {
	list := words(name)
	for i, w := range list {
		if isSecret(w) || w == "key" && i > 0 && isKeyword(list[i-1]) {
			return true
		}
	}
	return false
}

func weakRandom(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		p := f.target(call)
		if !strings.HasPrefix(p, "random.") || hasSuffix(p, ".seed", ".shuffle", ".SystemRandom") && p != "random.shuffle" {
			continue
		}
		name := ""
		if fn := function(call); fn != nil && fn.Kind == "function_definition" {
			name = f.text(fn.Child("name"))
		}
		if a := above(call, "assignment"); a != nil && !secretive(name) && a.Child("left").Kind == "identifier" {
			name = f.text(a.Child("left"))
		}
		if secretive(name) {
			say(call, "%s can be foretold: secrets is made for this", p)
		}
	}
}

// placeholders are values that stand in for a real secret.
var placeholders = wordSet("none null true false password passwd secret token changeme xxx example test todo string str yes no unknown default required optional enter your")

func hardCoded(f *file, say sayer) {
	flag := func(name string, at, value *syntax.Node) {
		s, ok := f.literal(value)
		if !ok || len(s) < 6 || strings.ContainsAny(s, " {}<>\n%") || strings.HasPrefix(strings.ToLower(s), "your") || strings.Contains(s, "...") || strings.Trim(s, "*x") == "" {
			return
		}
		last := words(name)
		if len(last) == 0 || !secretive(name) || placeholders(strings.ToLower(s)) || slices.Contains(last, "hash") || slices.Contains(last, "pattern") || slices.Contains(last, "regex") || slices.Contains(last, "prompt") || slices.Contains(last, "url") || slices.Contains(last, "salt") || slices.Contains(last, "field") || slices.Contains(last, "name") || slices.Contains(last, "file") || slices.Contains(last, "chars") || slices.Contains(last, "type") {
			return
		}
		say(at, "%s stands in the code", name)
	}
	for _, n := range f.kinds["assignment"] {
		if l := n.Child("left"); l.Kind == "identifier" || l.Kind == "attribute" {
			if l.Kind == "attribute" {
				l = l.Child("attribute")
			}
			if !f.split(n) {
				flag(f.text(l), n, n.Child("right"))
			}
		}
	}
	for _, kind := range []string{"keyword_argument", "default_parameter", "typed_default_parameter"} {
		for _, n := range f.kinds[kind] {
			flag(f.text(n.Child("name")), n, n.Child("value"))
		}
	}
	for _, n := range f.kinds["pair"] {
		if key, ok := f.literal(n.Child("key")); ok && !strings.Contains(key, " ") {
			flag(key, n, n.Child("value"))
		}
	}
	f.hardCompared(flag)
}

// split reports whether a name holds a word of a text, such as a tokenizer's token.
func (f *file) split(n *syntax.Node) bool {
	return slices.Contains(words(f.text(n.Child("left"))), "token") && n.Parent.Parent != nil && inLoop(n)
}

func (f *file) hardCompared(flag func(string, *syntax.Node, *syntax.Node)) {
	f.comparisons(func(n, a *syntax.Node, op string, b *syntax.Node) {
		if op != "==" || a.Kind != "identifier" {
			return
		}
		if w := words(f.text(a)); len(w) > 0 && (slices.Contains(w, "password") || slices.Contains(w, "passwd")) {
			flag(f.text(a), n, b)
		}
	})
}

func unverified(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		p := f.target(call)
		switch {
		case strings.HasPrefix(p, "requests.") || strings.HasPrefix(p, "httpx."):
			if v := f.argument(call, -1, "verify"); v != nil && v.Kind == "false" {
				say(call, "%s takes any certificate", p)
			}
		case p == "ssl._create_unverified_context":
			say(call, "any certificate is taken")
		}
	}
	for _, n := range f.kinds["assignment"] {
		left, right := n.Child("left"), n.Child("right")
		if left.Kind != "attribute" || right == nil {
			continue
		}
		switch name := f.text(left.Child("attribute")); {
		case name == "check_hostname" && right.Kind == "false", name == "verify_mode" && strings.HasSuffix(f.text(right), "CERT_NONE"),
			name == "_create_default_https_context" && strings.Contains(f.text(right), "unverified"):
			say(n, "any certificate is taken")
		}
	}
}

func weakTLS(f *file, say sayer) {
	for _, a := range f.kinds["attribute"] {
		switch f.path(a) {
		case "ssl.PROTOCOL_SSLv2", "ssl.PROTOCOL_SSLv3", "ssl.PROTOCOL_TLSv1", "ssl.PROTOCOL_TLSv1_1", "ssl.PROTOCOL_SSLv23",
			"OpenSSL.SSL.SSLv2_METHOD", "OpenSSL.SSL.SSLv3_METHOD", "OpenSSL.SSL.TLSv1_METHOD",
			"ssl.TLSVersion.TLSv1", "ssl.TLSVersion.TLSv1_1", "ssl.TLSVersion.SSLv3":
			say(a, "%s is broken", f.text(a))
		}
	}
}

func hostKey(f *file, say sayer) {
	for _, call := range f.kinds["call"] {
		fn := call.Child("function")
		if fn.Kind != "attribute" || f.text(fn.Child("attribute")) != "set_missing_host_key_policy" {
			continue
		}
		if a := f.argument(call, 0, ""); a != nil && (strings.Contains(f.text(a), "AutoAddPolicy") || strings.Contains(f.text(a), "WarningPolicy")) {
			say(call, "any server is taken for the right one")
		}
	}
}

func jwtUnverified(f *file, say sayer) {
	f.calling(func(call *syntax.Node, _ string) {
		if v := f.argument(call, -1, "verify"); v != nil && v.Kind == "false" {
			say(call, "the token's signature is not checked")
		}
		o := f.argument(call, -1, "options")
		if o == nil || o.Kind != "dictionary" {
			return
		}
		for _, p := range parts(o) {
			if key, _ := f.literal(p.Child("key")); key == "verify_signature" && p.Child("value").Kind == "false" {
				say(call, "the token's signature is not checked")
			}
		}
	}, "jwt.decode", "jwt.process_jwt")
}
