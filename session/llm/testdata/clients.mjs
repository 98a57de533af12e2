// What openai's and Anthropic's own clients make of the bytes that servers send: node clients.mjs DIRECTORY <rows >outcomes.
// DIRECTORY has them in node_modules. A row is a Quirk of llmtest in JSON on a line, an outcome {"text","thinking","finish",
// "in","out","error","asked"}.
import http from 'node:http'
import path from 'node:path'
import readline from 'node:readline'
import { createRequire } from 'node:module'

const require = createRequire(path.join(path.resolve(process.argv[2]), 'index.js'))
const OpenAI = require('openai').OpenAI
const Anthropic = require('@anthropic-ai/sdk').Anthropic

let row, asked
const server = http.createServer((request, response) => {
  request.resume()
  const { Status, Kind, Header, Body } = row.Before?.[asked] ?? row
  asked++
  const kind = Kind || row.Kind
  response.writeHead(Status || 200, { ...Header, ...(kind === 'none' ? {} : { 'Content-Type': kind }) })
  response.end(Body)
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${server.address().port}`
const settings = { apiKey: 'none', maxRetries: 2, timeout: 60000 }
const openai = new OpenAI({ ...settings, baseURL: `${address}/v1` })
const anthropic = new Anthropic({ ...settings, baseURL: address })
const messages = [{ role: 'user', content: 'Hello' }]

const clients = {
  async openai (got) {
    const stream = await openai.chat.completions.create({ model: 'm', messages, stream: true, stream_options: { include_usage: true } })
    for await (const chunk of stream) {
      const choice = chunk.choices?.find(c => c.index === 0)
      got.text += choice?.delta?.content ?? ''
      got.thinking += choice?.delta?.reasoning_content ?? ''
      got.finish ||= choice?.finish_reason ?? ''
      if (chunk.usage) [got.in, got.out] = [chunk.usage.prompt_tokens, chunk.usage.completion_tokens]
    }
  },
  async responses (got) {
    const final = await openai.responses.stream({ model: 'm', input: 'Hello' }).finalResponse()
    got.text = final.output_text ?? ''
    got.finish = final.incomplete_details?.reason ?? final.status ?? ''
    if (final.usage) [got.in, got.out] = [final.usage.input_tokens, final.usage.output_tokens]
  },
  async anthropic (got) {
    const final = await anthropic.messages.stream({ model: 'm', messages, max_tokens: 100 }).finalMessage()
    for (const block of final.content) {
      got.text += block.text ?? ''
      got.thinking += block.thinking ?? ''
    }
    got.finish = final.stop_reason ?? ''
    if (final.usage) [got.in, got.out] = [final.usage.input_tokens, final.usage.output_tokens]
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  row = JSON.parse(line)
  asked = 0
  const got = { text: '', thinking: '', finish: '', in: null, out: null, error: '', asked: 0 }
  try {
    await clients[row.Provider](got)
  } catch (error) {
    got.error = error.message || String(error)
  }
  if (typeof got.finish !== 'string') got.finish = JSON.stringify(got.finish)
  got.asked = asked
  console.log(JSON.stringify(got))
}
process.exit(0)
