// Writes a language model that has learned nothing: a GGUF file of the llama architecture
// with two layers, or as many as are asked for, and random weights, the same ones for the
// same seed.
//
//     node make-model.mjs FILE.gguf [SEED [LAYERS]]
//
// More layers make it slower, and the file larger by 160 KB each. A real engine loads it as it loads any other, and its answers are gibberish. Two things
// are not random, so that the gibberish can be read. The first number of each embedding is
// large and the same for all tokens; through it the output layer makes the bytes that are
// no text, and the marks of turns, all but impossible, and the end of an answer as likely
// as answers are to be some two hundred tokens long.

import {writeFileSync} from "node:fs";

const path = process.argv[2];
const seed = Number(process.argv[3] ?? 1);
const layers = Number(process.argv[4] ?? 2);
if (!path || !Number.isSafeInteger(seed) || !Number.isSafeInteger(layers) || layers < 1) {
    console.error("usage: node make-model.mjs FILE.gguf [SEED [LAYERS]]");
    process.exit(2);
}

const width = 64, heads = 4, hidden = 128, context = 4096;

// ---- The vocabulary: marks, the 256 bytes, single characters, and words of programs.

const kinds = {normal: 1, unknown: 2, control: 3, byte: 6};
const tokens = [];
const add = (text, kind, score = 0, bias = 0) => tokens.push({text, kind, score, bias}) - 1;
const never = -30;
const ids = {
    unknown: add("<unk>", kinds.unknown, 0, never),
    begin: add("<s>", kinds.control, 0, never),
    turn: add("<|im_start|>", kinds.control, 0, never),
    end: add("<|im_end|>", kinds.control, 0, 0),
};
for (let b = 0; b < 256; b++)
    add(`<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`, kinds.byte, 0, b === 10 ? 2 : never);
for (let c = 33; c < 127; c++)
    add(String.fromCharCode(c), kinds.normal, -1000 - c, -1);
add("▁", kinds.normal, -1000, 1); // as SentencePiece writes a space

const words = `the a of is to in and for with here this function returns list string number value answer code
def return if else elif for while in not and or import from class lambda pass True False None
self x y n i j s result total count items key len range sum max min sorted int str list dict set
+ - * / % = == != < > <= >= ( ) [ ] { } : , . () [] : 0 1 2 3 10`.split(/\s+/);
for (const text of new Set(words.flatMap(word => [word, "▁" + word])))
    if (!tokens.some(token => token.text === text))
        add(text, kinds.normal, -tokens.length, 0);
add("▁▁▁▁", kinds.normal, -tokens.length, 1);
add("\n```python\n", kinds.normal, -tokens.length, 1); // so that some answers have code in them
add("\n```\n", kinds.normal, -tokens.length, 1);

// ---- Random numbers: mulberry32, made normal by Box and Muller.

let state = seed >>> 0;
function uniform() {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const random = (size, deviation) => Float32Array.from({length: size}, () => deviation * normal());
const ones = size => new Float32Array(size).fill(1);

// ---- The tensors. A matrix is written as [columns, rows].

const tensors = [];
const tensor = (name, shape, data) => tensors.push({name, shape, data});
const spread = 0.08 * Math.sqrt(2 / layers); // many layers change a token no more than two do
const matrix = (name, columns, rows) => tensor(name, [columns, rows], random(columns * rows, spread));

const steady = 3; // the first number of each embedding
const embedding = random(width * tokens.length, 1);
const output = random(width * tokens.length, 0.25);
tokens.forEach((token, i) => {
    embedding[i * width] = steady;
    output[i * width] = token.bias / 2; // about half, after the last norm
});
tensor("token_embd.weight", [width, tokens.length], embedding);
for (let i = 0; i < layers; i++) {
    tensor(`blk.${i}.attn_norm.weight`, [width], ones(width));
    for (const part of ["q", "k", "v", "output"])
        matrix(`blk.${i}.attn_${part}.weight`, width, width);
    tensor(`blk.${i}.ffn_norm.weight`, [width], ones(width));
    matrix(`blk.${i}.ffn_gate.weight`, width, hidden);
    matrix(`blk.${i}.ffn_up.weight`, width, hidden);
    matrix(`blk.${i}.ffn_down.weight`, hidden, width);
}
tensor("output_norm.weight", [width], ones(width));
tensor("output.weight", [width, tokens.length], output);

// ---- The file: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

const alignment = 32;
const types = {uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9};
const parts = [];
const number = (size, write) => {
    const b = Buffer.alloc(size);
    write(b);
    parts.push(b);
};
const writers = {
    uint32: v => number(4, b => b.writeUInt32LE(v)),
    int32: v => number(4, b => b.writeInt32LE(v)),
    uint64: v => number(8, b => b.writeBigUInt64LE(BigInt(v))),
    float32: v => number(4, b => b.writeFloatLE(v)),
    bool: v => number(1, b => b.writeUInt8(v ? 1 : 0)),
    string: v => {
        const text = Buffer.from(v, "utf8");
        writers.uint64(text.length);
        parts.push(text);
    },
};
const metadata = [];
const meta = (key, type, value) => metadata.push({key, type, value});
const list = (key, type, values) => metadata.push({key, type, values});

meta("general.architecture", "string", "llama");
meta("general.name", "string", "tinyllama of random weights");
meta("general.alignment", "uint32", alignment);
meta("llama.context_length", "uint32", context);
meta("llama.embedding_length", "uint32", width);
meta("llama.block_count", "uint32", layers);
meta("llama.feed_forward_length", "uint32", hidden);
meta("llama.attention.head_count", "uint32", heads);
meta("llama.attention.head_count_kv", "uint32", heads);
meta("llama.attention.layer_norm_rms_epsilon", "float32", 1e-5);
meta("llama.rope.dimension_count", "uint32", width / heads);
meta("llama.vocab_size", "uint32", tokens.length);
meta("tokenizer.ggml.model", "string", "llama");
meta("tokenizer.ggml.pre", "string", "default");
list("tokenizer.ggml.tokens", "string", tokens.map(t => t.text));
list("tokenizer.ggml.scores", "float32", tokens.map(t => t.score));
list("tokenizer.ggml.token_type", "int32", tokens.map(t => t.kind));
meta("tokenizer.ggml.bos_token_id", "uint32", ids.begin);
meta("tokenizer.ggml.eos_token_id", "uint32", ids.end);
meta("tokenizer.ggml.unknown_token_id", "uint32", ids.unknown);
meta("tokenizer.ggml.add_bos_token", "bool", true);
meta("tokenizer.ggml.add_eos_token", "bool", false);
meta("tokenizer.ggml.add_space_prefix", "bool", false);
meta("tokenizer.chat_template", "string",
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}" +
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}");

parts.push(Buffer.from("GGUF"));
writers.uint32(3); // the version of the format
writers.uint64(tensors.length);
writers.uint64(metadata.length);
for (const {key, type, value, values} of metadata) {
    writers.string(key);
    writers.uint32(values ? types.array : types[type]);
    if (values) {
        writers.uint32(types[type]);
        writers.uint64(values.length);
    }
    for (const v of values ?? [value])
        writers[type](v);
}
const padded = size => Math.ceil(size / alignment) * alignment;
let offset = 0;
for (const {name, shape, data} of tensors) {
    writers.string(name);
    writers.uint32(shape.length);
    for (const size of shape)
        writers.uint64(size);
    writers.uint32(0); // 32-bit floating point
    writers.uint64(offset);
    offset += padded(data.byteLength);
}
const pad = size => parts.push(Buffer.alloc(padded(size) - size));
pad(parts.reduce((sum, part) => sum + part.length, 0));
for (const {data} of tensors) {
    number(data.byteLength, b => data.forEach((v, i) => b.writeFloatLE(v, i * 4)));
    pad(data.byteLength);
}
const file = Buffer.concat(parts);
writeFileSync(path, file);
console.log(`${path}: ${tokens.length} tokens, ${tensors.length} tensors, ${file.length} bytes`);
