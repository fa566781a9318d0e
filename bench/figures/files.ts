// Large files on their way out and in, against node:http, and what the server's memory does meanwhile.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { childrenOf, memoryOf } from '../../test/memory-of.ts'
import { paintNoise } from '../../test/pictures.ts'
import { startProcess } from '../../test/start-process.ts'
import { upload as sendUpload } from '../../test/upload.ts'
import { compare, type Measure } from '../figure.ts'
import { signIn, startBaseline, startShop, watchMemory, type Shop } from '../processes.ts'

const words = 'In the beginning was the Word. '
const downloaded = 200_000_000
const uploaded = 500_000_000
/** As the admin area sends it. */
const chunkBytes = 32 * 1024 * 1024

export const downloads: Measure = async function* ({ rounds }) {
  await using shop = await startShop()
  const file = enlargeSample(shop)
  const buyer = await signIn(shop)
  const { product_id } = buyer
  const { id } = await buyer.call(z.object({ id: z.string() }), 'POST', '/api/purchases', { product_id })
  const link = await buyer.call(z.object({ url: z.string() }), 'POST', `/api/purchases/${id}/download`, {})
  await using raw = await startBaseline('raw-http', 'download', file)
  const ours = () => download(shop.url + link.url)
  const memory = await watchMemory(shop, ours)
  yield await compare({
    name: 'Download of 200 MB, against node:http',
    bar: { atLeast: 0.8 },
    rounds,
    unitOfNote: 'MB/s',
    ours,
    baseline: () => download(`${raw.url}/file`),
  })
  yield { name: 'Memory growth while downloading', bar: { atMost: 30 }, unit: 'MB', measured: memory() }
}

/** Overwrites the stored EPUB, the main file of the digital product. */
function enlargeSample({ dataDir }: Shop): string {
  const folder = join(dataDir, 'files/ebooks')
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.epub')) ?? '')
  writeFileSync(file, Buffer.alloc(downloaded, words))
  return file
}

/** MB a second. */
async function download(url: string): Promise<number> {
  const format = '%{size_download} %{speed_download}'
  const { stdout } = await startProcess('curl', ['-sf', '-o', '/dev/null', '-w', format, url]).ended
  const [size, speed = NaN] = stdout.split(' ').map(Number)
  if (size !== downloaded) throw new Error(`the download of ${url} broke off: ${stdout}`)
  return speed / 1_000_000
}

export const uploads: Measure = async function* ({ rounds }) {
  await using shop = await startShop()
  const { headers } = await signIn(shop)
  // On the disk that the shop writes to.
  await using raw = await startBaseline('raw-http', 'upload', join(shop.dataDir, 'raw-upload'))
  const tus = { authorization: headers.authorization, 'tus-resumable': '1.0.0' }
  async function ours() {
    const metadata = `filename ${Buffer.from('large.epub').toString('base64')}`
    const create = { ...tus, 'upload-length': String(uploaded), 'upload-metadata': metadata }
    const created = await send(`${shop.url}/api/admin/uploads`, { method: 'POST', headers: create })
    const url = new URL(created.headers.get('location') ?? '', shop.url).href
    const speed = await upload(url, 'PATCH', { ...tus, 'content-type': 'application/offset+octet-stream' })
    await send(url, { method: 'DELETE', headers: tus })
    return speed
  }
  const memory = await watchMemory(shop, ours)
  yield await compare({
    name: 'Upload of 500 MB by tus, against node:http writing it to disk',
    bar: { atLeast: 0.5 },
    rounds,
    unitOfNote: 'MB/s',
    ours,
    baseline: () => upload(raw.url, 'PUT', {}),
  })
  yield { name: 'Memory growth while uploading', bar: { atMost: 80 }, unit: 'MB', measured: memory() }
}

/** Of the shop's process and the one that decodes, each at its highest. */
export const pictures: Measure = async function* () {
  await using shop = await startShop()
  const { call, headers } = await signIn(shop)
  const token = headers.authorization.replace('Bearer ', '')
  const content = await paintNoise(2460, 3070).png().toBuffer()
  const idle = memoryOf(shop.pid)
  const upload_id = await sendUpload(shop, { token }, content, 'cover.png')
  let decoder = 0
  const watch = setInterval(() => {
    for (const pid of childrenOf(shop.pid, 'picture-process'))
      decoder = Math.max(decoder, memoryOf(pid, 'VmHWM'))
  }, 20)
  await call(z.unknown(), 'POST', '/api/admin/pictures', { upload_id })
  clearInterval(watch)
  const measured = memoryOf(shop.pid, 'VmHWM') - idle + decoder
  const note = `a PNG of ${Math.round(content.length / 1e6)} MB`
  yield { name: 'Memory above idle for a picture', bar: { atMost: 200 }, unit: 'MB', measured, note }
}

/** In chunks; MB a second. */
async function upload(url: string, method: string, headers: Record<string, string>): Promise<number> {
  const chunk = Buffer.alloc(chunkBytes, words)
  const since = performance.now()
  for (let offset = 0; offset < uploaded; offset += chunkBytes) {
    const body = chunk.subarray(0, uploaded - offset)
    await send(url, { method, body, headers: { ...headers, 'upload-offset': String(offset) } })
  }
  return uploaded / 1000 / (performance.now() - since)
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${await response.text()}`)
  return response
}
