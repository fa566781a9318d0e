// The tus protocol: a broken upload goes on where it stopped. Files wait in DATA_DIR/uploads.
import { mkdir, open, readFile, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { Config } from '../config.ts'
import type { Settings } from './settings.ts'
import { once } from './cached.ts'
import { platformProblem } from './problem.ts'
import { removeOldFiles } from './data-folders.ts'

/** The uploads of one purpose: where they wait, and the path of the routes that take them. */
export type UploadTarget = {
  path: string
  folder: string
  maxBytes: number
  /** The number of times that the disk must have room for an upload, until what it is for is done. */
  copies: number
}

export type Upload = { path: string; size: number; file_name: string }

export type Uploads = ReturnType<typeof openUploads>

/** The library writes its own file beside each upload. */
export const isUploadId = (id: string) => /^[0-9a-f]{32}$/.test(id)
export const abandonedMs = 3 * dayMs
/** A power cut may leave half of it. */
const info = z
  .string()
  .transform(readJson)
  .pipe(z.object({ size: z.number(), metadata: z.object({ filename: z.string() }) }))

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The library responds with the protocol's refusals, which are plain objects. */
function rethrowFailure(_request: unknown, error: unknown): undefined {
  if (error instanceof Error) throw error
}

/** FileStore's own `write` hides a full disk. The rest is read and dropped: an unread body would close the connection. */
async function write(readable: AsyncIterable<Uint8Array>, path: string, offset: number): Promise<number> {
  const file = await open(path, 'r+')
  let end = offset
  let failure: unknown
  try {
    for await (const chunk of readable) {
      if (failure) continue
      try {
        await writeAll(file, chunk, end)
        end += chunk.length
      } catch (error) {
        failure = error
      }
    }
  } finally {
    await file.close()
  }
  if (failure) throw failure
  return end
}

/** Two requests in different processes cannot lengthen the file, since each write has its position. */
async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

type Dependencies = { config: Pick<Config, 'dataDir' | 'uploadMaxBytes'>; settings: Settings }

export function openUploads({ config: { dataDir, uploadMaxBytes: maxBytes }, settings }: Dependencies) {
  const folder = join(dataDir, 'uploads')
  return openUploadsAt({ path: '/api/admin/uploads', folder, maxBytes, copies: 1 }, settings)
}

export function openUploadsAt({ path: route, folder, maxBytes, copies }: UploadTarget, settings: Settings) {
  const openServer = once(async () => {
    const [{ Server }, { FileStore }] = await Promise.all([import('@tus/server'), import('@tus/file-store')])
    await mkdir(folder, { recursive: true })
    const datastore = new FileStore({ directory: folder })
    datastore.write = (readable, id, offset) => write(readable, join(folder, id), offset)
    return new Server({
      path: route,
      datastore,
      maxSize: maxBytes,
      relativeLocation: true,
      allowedOrigins: (origin) => origin === settings.get().shop.site_url,
      onResponseError: rethrowFailure,
    })
  })

  async function requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    // A small file takes a whole block.
    if (copies * bytes + 2 * bsize > bavail * bsize) throw platformProblem('server.full', { retryAfter: 60 })
  }

  async function describe(id: string) {
    if (!isUploadId(id)) return undefined
    return info.safeParse(await readFile(join(folder, `${id}.json`), 'utf8').catch(() => '')).data
  }

  async function findWhole(id: string) {
    const described = await describe(id)
    const result = described && (await stat(join(folder, id)).catch(() => undefined))
    return result?.size === described?.size ? described : undefined
  }

  return {
    /** Throws server.full at its start when there is no room. */
    async handle(request: Request): Promise<Response> {
      const server = await openServer()
      if (request.method === 'POST') await requireRoom(Number(request.headers.get('upload-length')))
      return server.handleWeb(request)
    },
    /** One of several concurrent callers claims it. */
    async claim(id: string) {
      const path = join(folder, id)
      const claimed = `${path}.claimed`
      const whole = await findWhole(id)
      if (!whole) throw platformProblem('uploads.not_found')
      const { size, metadata } = whole
      await rename(path, claimed).catch(() => {
        throw platformProblem('uploads.not_found')
      })
      return {
        path: claimed,
        size,
        file_name: metadata.filename,
        release: () => rename(claimed, path),
        remove: async () => {
          await rm(claimed, { force: true })
          await rm(`${path}.json`, { force: true })
        },
      }
    },
    /** Claims nothing: the upload stays for the next call where the process is killed. */
    async find(id: string): Promise<Upload | undefined> {
      const whole = await findWhole(id)
      return whole && { path: join(folder, id), size: whole.size, file_name: whole.metadata.filename }
    },
    sweep: (now: Date) => removeOldFiles(folder, new Date(now.getTime() - abandonedMs)),
  }
}
