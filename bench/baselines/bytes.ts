// Raw node:http sending one answer from memory: as fast as Node answers at all.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file, headers] = process.argv.slice(2)
const bytes = readFileSync(file!)
const sent = { ...(JSON.parse(headers!) as Record<string, string>), 'content-length': bytes.length }

createServer((_, response) => {
  response.writeHead(200, sent)
  response.end(bytes)
}).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
