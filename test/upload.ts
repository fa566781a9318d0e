// Uploads for tests, by the client that the admin area uses.
import { Upload } from 'tus-js-client'
import type { TestShop } from './shop.ts'
import type { Person } from './users.ts'

/** The id of the finished upload. */
export function upload(
  { url }: Pick<TestShop, 'url'>,
  { token }: Pick<Person, 'token'>,
  content: Buffer,
  filename: string,
  chunkSize?: number,
): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return uploadTo(`${url}/api/admin/uploads`, headers, content, filename, chunkSize)
}

export function uploadTo(
  endpoint: string,
  headers: Record<string, string>,
  content: Buffer,
  filename: string,
  chunkSize = 64 * 1024,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = new Upload(content, {
      endpoint,
      headers,
      metadata: { filename },
      chunkSize,
      retryDelays: null,
      onError: reject,
      onSuccess: () => resolve(sending.url!.split('/').at(-1)!),
    })
    sending.start()
  })
}
