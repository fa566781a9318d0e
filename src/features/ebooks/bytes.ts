// Parts of a file, so that none is in memory whole.
import type { FileHandle } from 'node:fs/promises'

/** Less than `length` bytes at the end of the file; none behind it. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

export function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}
