// Sends many bytes, by tus in pieces as the admin area does or in one PUT; prints the megabytes a second.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'

type Input = { url: string; isTus: boolean; token: string; bytes: number }

const { url, isTus, token, bytes } = JSON.parse(process.argv[2]!) as Input
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const pieceBytes = 32 * 1024 * 1024
const block = Buffer.alloc(64 * 1024, 'In the beginning was the Word. ')
const authorization = `Bearer ${token}`

const protocol = { authorization, 'tus-resumable': '1.0.0' }

const since = performance.now()
const place = isTus ? await sendPieces() : undefined
if (!place) await send('PUT', url, {}, bytes)
console.log(JSON.stringify({ perSecond: bytes / 1_000_000 / ((performance.now() - since) / 1000) }))
// The next one is to find the disk as this one did.
if (place) await send('DELETE', place, protocol, 0)
agent.destroy()

async function sendPieces(): Promise<string> {
  const filename = Buffer.from('large.epub').toString('base64')
  const { headers } = await send(
    'POST',
    url,
    { ...protocol, 'upload-length': String(bytes), 'upload-metadata': `filename ${filename}` },
    0,
  )
  const place = new URL(headers.location!, url).href
  for (let offset = 0; offset < bytes; offset += pieceBytes) {
    const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    await send('PATCH', place, { ...protocol, ...piece }, Math.min(pieceBytes, bytes - offset))
  }
  return place
}

async function send(
  method: string,
  to: string,
  headers: Record<string, string>,
  length: number,
): Promise<IncomingMessage> {
  const sending = request(to, { method, agent, headers: { ...headers, 'content-length': length } })
  const answered = once(sending, 'response')
  for (let sent = 0; sent < length; sent += block.length) {
    if (!sending.write(block.subarray(0, Math.min(block.length, length - sent)))) await once(sending, 'drain')
  }
  sending.end()
  const [answer] = (await answered) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode! >= 300) throw new Error(`${method} ${to} was answered ${answer.statusCode}`)
  return answer
}
