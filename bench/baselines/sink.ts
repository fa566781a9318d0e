// Raw node:http writing what it is sent to a file, as `cat` would.
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'

const [port, file] = process.argv.slice(2)

createServer(async (request, response) => {
  if (request.method === 'PUT') await pipeline(request, createWriteStream(file!))
  response.end()
}).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
