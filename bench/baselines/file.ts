// Raw node:http piping a file.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const size = statSync(file!).size

createServer((request, response) => {
  if (request.url !== '/file') return response.end()
  response.writeHead(200, { 'content-length': size })
  return createReadStream(file!).pipe(response)
}).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
