// Raw node:http writing what it is sent to a file, as `cat` would.
import { createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

const [port, file] = process.argv.slice(2)

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') await pipeline(request, createWriteStream(file!))
  response.end()
}

createServer((request, response) => void take(request, response)).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
