// Serves a GGUF file through node-llama-cpp, which is llama.cpp, by the chat-completions
// protocol of OpenAI: streaming or not, with usage and finish reasons. Run it in the folder
// where node-llama-cpp is installed:
//
//     node …/serve.mjs FILE.gguf [PORT] [cache]
//
// GET /counts has the engine's own counts of what it read and wrote for the answers that were sent whole.
// With "cache" it reads only what differs from the request before; then a seed may bring another text.
//
// Requests are answered one after the other by one thread, so that an answer follows from
// the request and its seed alone: the numbers of a batch of several differ in the last bits.

import {createServer} from "node:http";
import {createHash, randomInt, randomUUID} from "node:crypto";
import {createRequire} from "node:module";
import {readFileSync} from "node:fs";
import {basename, join} from "node:path";
import {pathToFileURL} from "node:url";

const file = process.argv[2];
const port = Number(process.argv[3] ?? 4020);
const cache = process.argv[4] === "cache";
const counts = {answers: 0, read: 0, cached: 0, written: 0};
if (!file || !Number.isInteger(port)) {
    console.error("usage: node serve.mjs FILE.gguf [PORT] [cache]");
    process.exit(2);
}
const installed = createRequire(join(process.cwd(), "here")).resolve("node-llama-cpp");
const {getLlama, LlamaChat} = await import(pathToFileURL(installed));

const name = basename(file, ".gguf");
const fingerprint = "fp_" + createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);
const llama = await getLlama({build: "never", gpu: false, maxThreads: 1, logLevel: "warn"});
const model = await llama.loadModel({modelPath: file});
const context = await model.createContext({contextSize: model.trainContextSize, sequences: 1, threads: 1});
const sequence = context.getSequence();

class Refused extends Error {
    constructor(status, message, code = null) {
        super(message);
        Object.assign(this, {status, code});
    }
}

// number reads a field of a request that may be missing.
function number(body, field, low, high, whole = false) {
    const value = body[field] ?? undefined;
    if (value === undefined)
        return undefined;
    if (typeof value !== "number" || value < low || value > high || whole && !Number.isInteger(value))
        throw new Refused(400, `${field} must be ${whole ? "a whole number" : "a number"} from ${low} to ${high}`);
    return value;
}

// history is the conversation as the engine takes it, and how many tokens its template
// makes of it.
function history(messages) {
    if (!Array.isArray(messages) || messages.length === 0)
        throw new Refused(400, "messages must be a list of at least one message");
    const turns = messages.map(({role, content}) => {
        if (typeof content !== "string")
            throw new Refused(400, "content must be a text");
        switch (role) {
            case "system": return {type: "system", text: content};
            case "user": return {type: "user", text: content};
            case "assistant": return {type: "model", response: [content]};
        }
        throw new Refused(400, `the role ${JSON.stringify(role)} is not known`);
    });
    if (turns.at(-1).type !== "user")
        throw new Refused(400, "the last message must be the user's");
    turns.push({type: "model", response: []});
    return turns;
}

// settings are those of a request, in the engine's words.
function settings(body) {
    const stop = body.stop == null ? [] : [body.stop].flat();
    if (!stop.every(text => typeof text === "string" && text !== ""))
        throw new Refused(400, "stop must be a text, or a list of texts");
    return {
        temperature: number(body, "temperature", 0, 2) ?? 1,
        topP: number(body, "top_p", 0, 1) ?? 1,
        topK: number(body, "top_k", 0, 1e6, true) ?? 0,
        minP: number(body, "min_p", 0, 1) ?? 0,
        seed: number(body, "seed", 0, Number.MAX_SAFE_INTEGER, true) ?? randomInt(2 ** 32),
        repeatPenalty: {
            penalty: 1,
            presencePenalty: number(body, "presence_penalty", -2, 2) ?? 0,
            frequencyPenalty: number(body, "frequency_penalty", -2, 2) ?? 0,
        },
        customStopTriggers: stop,
        maxTokens: number(body, "max_completion_tokens", 1, 1e6, true) ?? number(body, "max_tokens", 1, 1e6, true) ?? Infinity,
    };
}

// complete answers one request. text is called with each piece.
async function complete(body, signal, text) {
    const chatHistory = history(body.messages);
    const options = settings(body);
    if (!cache)
        await sequence.clearHistory();
    const chat = new LlamaChat({contextSequence: sequence, autoDisposeSequence: false});
    try {
        const prompt = chat.chatWrapper.generateContextState({chatHistory}).contextText.tokenize(model.tokenizer).length;
        const room = context.contextSize - prompt - 1;
        if (room < 1)
            throw new Refused(400, `the prompt has ${prompt} tokens, and the context of the model ${context.contextSize}`, "context_length_exceeded");
        const before = sequence.tokenMeter.getState();
        const {metadata} = await chat.generateResponse(chatHistory, {
            ...options, maxTokens: Math.min(options.maxTokens, room), signal, onTextChunk: text,
        });
        const used = sequence.tokenMeter.diff(before);
        const output = used.usedOutputTokens;
        const read = used.usedInputTokens + 1; // the last one is read with the first that is written, and not counted
        const cached = prompt - read;
        return {
            finish: metadata.stopReason === "maxTokens" ? "length" : "stop",
            used: {read, cached, written: output},
            usage: {prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, prompt_tokens_details: {cached_tokens: cached}},
        };
    } finally {
        chat.dispose();
    }
}

// One request after the other.
let last = Promise.resolve();
const queued = work => (last = last.then(work, work));

async function answer(request, response, body) {
    const given = new AbortController();
    response.on("close", () => given.abort(new Error("the client has gone")));
    const common = {id: "chatcmpl-" + randomUUID(), created: Math.floor(Date.now() / 1000), model: name, system_fingerprint: fingerprint};
    const send = fields => response.write(`data: ${JSON.stringify({...common, object: "chat.completion.chunk", ...fields})}\n\n`);
    const begin = () => response.headersSent || response.writeHead(200, {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"});
    const choice = (delta, reason = null) => ({choices: [{index: 0, delta, finish_reason: reason}]});
    let whole = "";
    const {finish, used, usage} = await complete(body, given.signal, piece => {
        whole += piece;
        if (body.stream) {
            begin();
            send(choice({content: piece}));
        }
    });
    response.on("finish", () => {
        counts.answers++;
        for (const name in used)
            counts[name] += used[name];
    });
    if (!body.stream) {
        response.writeHead(200, {"Content-Type": "application/json"});
        response.end(JSON.stringify({
            ...common, object: "chat.completion", usage,
            choices: [{index: 0, message: {role: "assistant", content: whole}, finish_reason: finish}],
        }));
        return;
    }
    begin();
    send(choice({}, finish));
    if (body.stream_options?.include_usage)
        send({choices: [], usage});
    response.end("data: [DONE]\n\n");
}

function refuse(response, error) {
    if (response.headersSent || response.destroyed)
        return response.destroy();
    const status = error.status ?? 500;
    response.writeHead(status, {"Content-Type": "application/json"});
    response.end(JSON.stringify({error: {
        message: error.message, code: error.code ?? null, type: status < 500 ? "invalid_request_error" : "server_error",
    }}));
}

async function read(request) {
    const parts = [];
    for await (const part of request)
        parts.push(part);
    try {
        return JSON.parse(Buffer.concat(parts).toString("utf8"));
    } catch {
        throw new Refused(400, "the request is not JSON");
    }
}

const server = createServer(async (request, response) => {
    try {
        const path = new URL(request.url, "http://localhost").pathname;
        if (request.method === "GET" && path === "/v1/models") {
            response.writeHead(200, {"Content-Type": "application/json"});
            response.end(JSON.stringify({object: "list", data: [{id: name, object: "model", created: 0, owned_by: "nobody"}]}));
            return;
        }
        if (request.method === "GET" && path === "/counts") {
            response.writeHead(200, {"Content-Type": "application/json"});
            response.end(JSON.stringify(counts));
            return;
        }
        if (request.method !== "POST" || path !== "/v1/chat/completions")
            throw new Refused(404, `there is no ${request.method} ${path}`);
        const body = await read(request);
        if (body.model !== name)
            throw new Refused(404, `the model ${JSON.stringify(body.model)} is not found: this server has ${JSON.stringify(name)}`, "model_not_found");
        await queued(() => response.destroyed || answer(request, response, body));
    } catch (error) {
        refuse(response, error);
    }
});
server.listen(port, "127.0.0.1", () => console.log(`${name} (${fingerprint}) at http://127.0.0.1:${server.address().port}/v1`));
for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => process.exit(0));
