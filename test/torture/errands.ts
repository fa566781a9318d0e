// What the author does beside the sale: uploads in pieces, editions and backups, each told with its status and code.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backups } from '#contract/backup/backups.ts'
import { makeEpub } from '../epub.ts'
import type { Sale } from './sale.ts'

const tus = { 'tus-resumable': '1.0.0' }

export type Outcome = { status: number; code?: string | undefined }

export function openErrands(url: string, { crowd, products }: Pick<Sale, 'crowd' | 'products'>) {
  const book = makeEpub({ 'O/filling': Buffer.alloc(500_000, 'x') }, { level: 0 })
  const authorization = () => ({ ...tus, authorization: `Bearer ${crowd.author.token}` })
  const { id } = products.find(({ format }) => format === 'digital')!

  async function read(response: Response): Promise<Outcome> {
    const body = (await response.json().catch(() => undefined)) as { code?: string } | undefined
    return { status: response.status, code: body?.code }
  }
  return {
    async beginUpload(): Promise<Outcome & { place: string }> {
      const headers = {
        ...authorization(),
        'upload-length': String(book.length),
        'upload-metadata': `filename ${Buffer.from('book.epub').toString('base64')}`,
      }
      const response = await fetch(`${url}/api/admin/uploads`, { method: 'POST', headers })
      return { ...(await read(response)), place: response.headers.get('location') ?? '' }
    },
    async sendUpload(place: string): Promise<Outcome> {
      const asked = await fetch(new URL(place, url), { method: 'HEAD', headers: authorization() })
      const offset = asked.headers.get('upload-offset') ?? '0'
      const headers = {
        ...authorization(),
        'upload-offset': offset,
        'content-type': 'application/offset+octet-stream',
      }
      const body = new Uint8Array(book.subarray(Number(offset)))
      return read(await fetch(new URL(place, url), { method: 'PATCH', headers, body }))
    },
    async addEdition(place: string): Promise<Outcome> {
      const upload_id = place.split('/').at(-1)
      const path = `/api/admin/products/${id}/editions`
      const { status, body } = await crowd.ask<{ code?: string }>(crowd.author, path, { upload_id })
      return { status, code: body?.code }
    },
    /** The problems of the run; undefined where it could not begin. */
    async backUp(): Promise<string[] | undefined> {
      const path = '/api/admin/backups'
      const started = await crowd.ask<Backups>(crowd.author, path, { kind: 'backup' })
      if (!started.isOk) return undefined
      const run = started.body.runs[0]!
      for (;;) {
        const { isOk, body } = await crowd.ask<Backups>(crowd.author, path)
        const now = isOk ? body.runs.find(({ id: each }) => each === run.id) : undefined
        if (now && now.state !== 'running') return now.problems
        await sleep(200)
      }
    },
  }
}
