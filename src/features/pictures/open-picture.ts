// What is stored of a picture, by its public address.
import { z } from 'zod'
import type { StoredFile } from '#platform/storage.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { fileOf } from './add-picture.ts'

const mediaTypes: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

export async function openPicture(
  { storage }: Pick<Services, 'storage'>,
  id: string,
  rendition: string,
): Promise<StoredFile & { path: string; mediaType: string }> {
  const mediaType = mediaTypes[/^[a-z0-9-]+\.(\w+)$/.exec(rendition)?.[1] ?? '']
  if (!mediaType || !z.uuid().safeParse(id).success) throw new Problem('request.not_found')
  const path = fileOf(id.toLowerCase(), rendition)
  const found = await storage.stat(path)
  if (!found) throw new Problem('request.not_found')
  return { ...found, path, mediaType }
}
