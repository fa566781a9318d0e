// Asks for one thing over and over, and prints how often it was answered. Answers of one length are only counted, not
// parsed: a client that reads each of them is busier than the servers it is to measure.
import { createConnection, type Socket } from 'node:net'
import type { Load, LoadResult } from '../processes.ts'

const { url, connections, seconds, headers = {} } = JSON.parse(process.argv[2]!) as Load
const { hostname, port, pathname, host } = new URL(url)
const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
const question = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)

let answers = 0
let failures = 0
let isOver = false

async function ask(): Promise<void> {
  const socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
  const length = await firstAnswer(socket)
  let missing = length
  socket.on('data', (chunk: Buffer) => {
    missing -= chunk.byteLength
    if (missing > 0) return
    if (missing < 0) failures += 1
    answers += 1
    missing = length
    if (isOver) socket.destroy()
    else socket.write(question)
  })
  socket.on('close', () => {
    if (!isOver) failures += 1
  })
  socket.write(question)
}

/** Bytes of the whole answer, head and body. */
async function firstAnswer(socket: Socket): Promise<number> {
  socket.write(question)
  let seen = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('data', function listen(chunk: Buffer) {
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n') + 4
      if (end < 4) return
      const head = seen.toString('latin1', 0, end)
      const body = /content-length: (\d+)/i.exec(head)?.[1]
      if (!head.startsWith('HTTP/1.1 200') || !body) return reject(new Error(`no plain response: ${head}`))
      if (seen.byteLength < end + Number(body)) return
      socket.off('data', listen)
      resolve(end + Number(body))
    })
  })
}

await Promise.all(Array.from({ length: connections }, ask))
answers = 0
const since = performance.now()
setTimeout(() => {
  const elapsed = (performance.now() - since) / 1000
  isOver = true
  const result: Omit<LoadResult, 'p99'> = { perSecond: answers / elapsed, failures }
  console.log(JSON.stringify(result))
  setTimeout(() => process.exit(), 100)
}, seconds * 1000)
