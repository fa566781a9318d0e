// How far an upload is, in words.
import { formatFileSize } from '../format/format.tsx'
import type { Sending } from './send-file.ts'

/** "1.20 of 12.00 MB, 84 kB/s, 2 min left"; no speed is known before something was sent. */
export function progressWords({
  sent,
  size,
  perSecond,
}: Pick<Sending, 'sent' | 'size' | 'perSecond'>): string {
  const progress = `${megabytes(sent)} of ${megabytes(size)} MB`
  if (perSecond <= 0) return progress
  const seconds = Math.ceil((size - sent) / perSecond)
  const left = seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return `${progress}, ${formatFileSize(perSecond)}/s, ${left} left`
}

export function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(2)
}
