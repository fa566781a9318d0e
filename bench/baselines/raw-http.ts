// node:http alone: `bytes LENGTH` sends one response from memory, `download FILE` pipes a file, `upload FILE` appends what
// it is sent.
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'

const [port, kind = '', subject = ''] = process.argv.slice(2)

const handlers: Record<string, () => RequestListener> = {
  bytes() {
    const bytes = Buffer.alloc(Number(subject))
    const headers = { 'content-type': 'text/plain', 'content-length': bytes.length }
    return (_request, response) => response.writeHead(200, headers).end(bytes)
  },
  download: () => (request, response) => {
    if (request.url !== '/file') return response.end()
    const { size } = statSync(subject)
    return createReadStream(subject).pipe(response.writeHead(200, { 'content-length': size }))
  },
  upload: () => (request, response) =>
    request.pipe(createWriteStream(subject, { flags: 'a' })).on('finish', () => response.end()),
}

createServer(handlers[kind]?.()).listen(Number(port), '127.0.0.1')
